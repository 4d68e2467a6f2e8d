export { zoneSettingsRoutes } from './zone-settings.routes.ts'
export { DEFAULT_SWITCHES, type Switches } from './zone-settings.rules.ts'
export {
  createZoneSettings,
  isUnderAttack,
  isWafOn,
  zoneSettingContents,
  switchWafOff,
} from './zone-settings.service.ts'
export {
  allSwitches,
  saveSetting as saveOwnSetting,
  storedSetting as readOwnSetting,
  switchesOf,
} from './zone-settings.store.ts'
