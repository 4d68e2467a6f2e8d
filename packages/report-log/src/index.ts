export { MAX_ENTRIES, openReportLog, type LogEntry, type ReportLog } from './report-log.ts'
