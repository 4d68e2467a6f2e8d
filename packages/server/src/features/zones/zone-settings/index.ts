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
  createOwnSetting,
  type OwnSetting,
  type OwnSettingDeps,
  ownSettingOf,
} from './own-settings.service.ts'
export { allSwitches, switchesOf } from './zone-settings.store.ts'
