// How many requests of a zone had which anomaly score, by day.
import type { Migration } from './migration.ts'

export const anomalyScores: Migration = {
  version: 31,
  name: 'anomaly scores',
  sqlite: [
    `CREATE TABLE anomaly_scores (
      zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, day TEXT NOT NULL, score INTEGER NOT NULL,
      requests INTEGER NOT NULL, PRIMARY KEY (zone_id, day, score)
    ) STRICT, WITHOUT ROWID`,
  ],
}
