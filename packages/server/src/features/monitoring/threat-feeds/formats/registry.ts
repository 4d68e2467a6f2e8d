// All formats, by name.
import { adblock } from './adblock.ts'
import type { FeedFormat } from './format.ts'
import { hosts } from './hosts.ts'
import { openphish } from './openphish.ts'
import { phishtank } from './phishtank.ts'
import { plain } from './plain.ts'
import { threatfox } from './threatfox.ts'
import { urlhaus } from './urlhaus.ts'

export type FormatName =
  | typeof adblock.name
  | typeof hosts.name
  | typeof openphish.name
  | typeof phishtank.name
  | typeof plain.name
  | typeof threatfox.name
  | typeof urlhaus.name

export const FORMATS: { readonly [Name in FormatName]: FeedFormat<Name> } = {
  adblock,
  hosts,
  openphish,
  phishtank,
  plain,
  threatfox,
  urlhaus,
}
