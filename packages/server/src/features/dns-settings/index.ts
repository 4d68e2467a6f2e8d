export { dnsSettingsRoutes } from './dns-settings.routes.ts'
export { adoptDnsSettings, createDnsSettings, removeDnsSettings } from './dns-settings.service.ts'
export { readServingSettings, servingSettingsOf } from './serving-settings.ts'
