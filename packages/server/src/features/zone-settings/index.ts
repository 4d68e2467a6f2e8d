export { zoneSettingsRoutes } from './zone-settings.routes.ts'
export { USUAL_SWITCHES, type Switches } from './zone-settings.rules.ts'
export { createZoneSettings, isWafOn, removeZoneSettings, switchWafOff } from './zone-settings.service.ts'
export { allSwitches, switchesOf } from './zone-settings.store.ts'
