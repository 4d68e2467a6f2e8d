// set_config: settings of the zone for matching requests.
import { flag, members, oneOf } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

export const setConfig = defineAction({
  parameters: members(
    {
      automatic_https_rewrites: flag,
      autominify: members({ css: flag, html: flag, js: flag }),
      bic: flag,
      content_converter: flag,
      disable_apps: oneOf(true),
      disable_pay_per_crawl: oneOf(true),
      disable_rum: oneOf(true),
      disable_zaraz: oneOf(true),
      email_obfuscation: flag,
      fonts: flag,
      hotlink_protection: flag,
      mirage: flag,
      opportunistic_encryption: flag,
      polish: oneOf('off', 'lossless', 'lossy', 'webp'),
      redirects_for_ai_training: flag,
      request_body_buffering: oneOf('none', 'standard', 'full'),
      response_body_buffering: oneOf('none', 'standard'),
      rocket_loader: flag,
      security_level: oneOf('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
      server_side_excludes: flag,
      ssl: oneOf('off', 'flexible', 'full', 'strict', 'origin_pull'),
      sxg: flag,
    },
    { atLeast: 1 },
  ),
  needsParameters: true,
  terminates: false,
})
