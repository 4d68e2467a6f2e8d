export { ConfigError, databasePath, environmentWithoutSettings, loadConfig, type Config } from './config.ts'
export { SETTINGS, type Endpoint } from './settings.ts'
