export { ConfigError, databasePath, loadConfig, type Config } from './config.ts'
export { environmentName, SETTINGS, type Endpoint } from './settings.ts'
