export { recordScanRoutes } from './record-scans.routes.ts'
export { createRecordScans, type RecordScans, type RecordScansDeps } from './record-scans.service.ts'
