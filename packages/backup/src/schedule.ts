// When the next of regular backups is due, whatever made the earlier ones.
import { basename } from 'node:path'

const FORM = /^zonereeve-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z/

/**
 * Milliseconds until the next backup is due; 0 = now.
 *
 * @param paths of the existing backups, oldest first. A backup from the future (the clock was wrong) counts as made now.
 */
export function millisUntilDue(paths: readonly string[], everyMillis: number, now: Date): number {
  const newest = paths.at(-1)
  const [, year, month, day, hour, minute, second] =
    FORM.exec(newest === undefined ? '' : basename(newest)) ?? []
  if (year === undefined) return 0
  const made = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const age = Math.max(0, now.getTime() - made)
  return Math.max(0, everyMillis - age)
}
