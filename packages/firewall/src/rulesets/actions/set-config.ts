// set_config: settings of the zone for matching requests. Settings that nothing here obeys are refused by name.
import { members, oneOf, type Shape, valueIssue } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

const notOffered: Shape = (value, at) => [
  valueIssue(at, value, 'nothing here obeys this setting; only security_level can be set for a request'),
]

/** The vendor's other settings. */
const NOT_OFFERED = [
  'automatic_https_rewrites',
  'autominify',
  'bic',
  'content_converter',
  'disable_apps',
  'disable_pay_per_crawl',
  'disable_rum',
  'disable_zaraz',
  'email_obfuscation',
  'fonts',
  'hotlink_protection',
  'mirage',
  'opportunistic_encryption',
  'polish',
  'redirects_for_ai_training',
  'request_body_buffering',
  'response_body_buffering',
  'rocket_loader',
  'server_side_excludes',
  'ssl',
  'sxg',
]

export const setConfig = defineAction({
  parameters: members(
    {
      ...Object.fromEntries(NOT_OFFERED.map((name) => [name, notOffered])),
      security_level: oneOf('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
    },
    { atLeast: 1 },
  ),
  needsParameters: true,
  terminates: false,
})
