export { recordScanRoutes } from './record-scans.routes.ts'
export { createRecordScans, type RecordScansDeps } from './record-scans.service.ts'
