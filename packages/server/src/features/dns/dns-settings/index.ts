export { dnsSettingsRoutes } from './dns-settings.routes.ts'
export { adoptDnsSettings, createDnsSettings, zoneDnsSettings } from './dns-settings.service.ts'
export { readPublicationSettings, publicationSettingsOf } from './publication-settings.ts'
