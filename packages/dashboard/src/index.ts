export { createDashboardFiles, DASHBOARD_PATHS, findDashboard } from './served/dashboard-files.ts'
export type { DashboardFiles, ServedFile } from './served/dashboard-files.ts'
