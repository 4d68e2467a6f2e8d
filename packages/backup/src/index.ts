// Backups of the database, for the commands of the program.
export type { Header } from './archive.ts'
export { BackupError } from './backup-error.ts'
export { createBackup, deleteOldBackups, listBackups, runHook } from './create.ts'
export { lastBackup, noteBackup } from './last-backup.ts'
export { restoreBackup, verifyBackup } from './restore.ts'
export { millisUntilDue } from './schedule.ts'
