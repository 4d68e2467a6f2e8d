// Texts of the state of the server, and of its settings.
import { numberText } from '../strings.ts'

const count = (total: number, one: string, many: string): string =>
  `${numberText(total)} ${total === 1 ? one : many}`

export const healthStrings = {
  title: 'Health',
  summary: (version: string, node: string) => `Zonereeve ${version} on Node ${node.replace(/^v/, '')}.`,
  forbidden: 'Only owners and admins see the state of the server.',
  allWell: 'Nothing needs attention.',
  notReady: 'Writes are refused.',
  notReadyDetail: 'The database does not accept them; DNS still answers. The log has the error.',
  fullDisk: (share: string) => `${share} of the disk is free.`,
  fullDiskDetail: 'Without space no write is accepted. Move backups away, or shorten what is kept.',
  noBackup: 'No backup is known.',
  noBackupDetail: 'Make one, and schedule it:',
  oldBackup: (age: string) => `The last backup is ${age} old.`,
  oldBackupDetail: 'A schedule makes one each day:',
  problems: 'Stored data that cannot be read',
  failing: (jobs: number) => `${count(jobs, 'background job', 'background jobs')} failed in the last run.`,
  server: 'Server',
  version: 'Version',
  started: 'Started',
  writes: 'Writes',
  accepted: 'accepted',
  refused: 'refused',
  memory: 'Memory',
  storage: 'Storage',
  storageNote: 'the data folder',
  engines: { sqlite: 'SQLite', postgres: 'PostgreSQL' },
  database: 'Database',
  log: 'Write-ahead log',
  disk: 'Disk',
  diskText: (free: string, total: string) => `${free} of ${total} free`,
  elsewhere: 'not on this disk',
  backups: 'Backups',
  backupsNote: 'by zonereeve backup',
  lastBackup: 'Last backup',
  size: 'Size',
  place: 'Written to',
  encrypted: 'encrypted',
  plain: 'not encrypted',
  backupCommand: 'zonereeve backup schedule --every 1d --to /var/backups/zonereeve --keep 14',
  outside: 'Back up PostgreSQL with its own tools.',
  queues: 'Queues',
  queuesNote: 'what waits now',
  queueColumns: { name: 'Queue', waiting: 'Waiting' },
  queueNames: {
    webhooks: 'Webhooks with events that were not sent',
    account_webhooks: 'Webhooks of accounts with events that were not sent',
    email_alerts: 'E-mail alerts with events that were not sent',
    script_fetches: 'Scripts that are due to be fetched',
    page_checks: 'Watched pages that are due for a check',
    secondaries: 'Secondaries without the newest serial',
  },
  jobs: 'Background jobs',
  jobsNote: 'last runs since the start',
  jobColumns: { name: 'Job', ended: 'Ended', took: 'Took', failures: 'Failures' },
  /** The server names them without capitals. */
  jobName: (name: string): string => {
    const words = name.replace(/^page shield\b/, 'monitoring').replace(/\bdnssec\b/, 'DNSSEC')
    return words.charAt(0).toUpperCase() + words.slice(1)
  },
  noJobs: 'None has run yet.',
  seconds: (seconds: number): string => {
    const millis = seconds * 1_000
    return millis < 1 ? '< 1 ms' : seconds < 1 ? `${Math.round(millis)} ms` : `${seconds.toFixed(1)} s`
  },
} as const

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const
const STEP = 1_000

/** `512 bytes`, `61 kB`, `1.4 GB`. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= STEP && unit < UNITS.length - 1) [value, unit] = [value / STEP, unit + 1]
  const shown = unit > 0 && value < 10 ? value.toFixed(1) : String(Math.round(value))
  return `${shown} ${UNITS[unit] ?? 'bytes'}` // the loop ends at the last unit
}

export const settingStrings = {
  title: 'Settings',
  intro:
    'What the server runs with. Settings come from flags, the environment or a file, and change with a restart.',
  forbidden: 'Only owners and admins see the settings of the server.',
  search: 'Filter by name, description or value',
  changedOnly: 'Only what is not a default',
  hits: (found: number, total: number) => `${numberText(found)} of ${numberText(total)}`,
  none: 'No setting matches.',
  clear: 'Clear the filter',
  columns: { name: 'Setting', value: 'Value', origin: 'From', description: 'Description' },
  secret: 'secret',
  notSet: 'not set',
  default: 'default',
  variable: (name: string) => `In the environment: ${name}`,
  change: 'To change one, restart the server with it:',
  changeCommand: 'zonereeve serve --history-days 365      # or ZONEREEVE_HISTORY_DAYS=365',
} as const
