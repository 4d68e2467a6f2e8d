export { loadClientConfig, type ClientConfig } from './client.ts'
export { ConfigError, databasePath, loadConfig, type Config } from './config.ts'
export { SETTINGS, type Endpoint } from './settings.ts'
