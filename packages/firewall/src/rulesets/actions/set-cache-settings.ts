// set_cache_settings: whether, how long and under which key a response is cached.
import { flag, integer, listOf, mapOf, members, oneOf, text } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

const MODES = ['respect_origin', 'bypass_by_default', 'override_origin'] as const
const names = listOf(text())
const status = integer(100, 999)
const varying = oneOf('bypass', 'passthrough', 'normalize')
const queryPart = members({ all: oneOf(true), list: names }, { atLeast: 1, atMost: 1 })

const edgeTtl = members(
  {
    default: integer(0),
    mode: oneOf(...MODES),
    status_code_ttl: listOf(
      members(
        {
          status_code: status,
          status_code_range: members({ from: status, to: status }, { atLeast: 1 }),
          value: integer(),
        },
        { required: ['value'], atLeast: 2, atMost: 2 },
      ),
    ),
  },
  { required: ['mode'] },
)

const cacheKey = members({
  cache_by_device_type: flag,
  cache_deception_armor: flag,
  custom_key: members({
    cookie: members({ check_presence: names, include: names }),
    header: members({ check_presence: names, contains: mapOf(names), exclude_origin: flag, include: names }),
    host: members({ resolved: flag }),
    query_string: members({ exclude: queryPart, include: queryPart }, { atMost: 1 }),
    user: members({ device_type: flag, geo: flag, lang: flag }),
  }),
  ignore_query_strings_order: flag,
})

const vary = members(
  {
    default: members({ action: varying }, { required: ['action'] }),
    headers: mapOf(
      members(
        {
          action: varying,
          languages: listOf(text(1, 64), { atMost: 20 }),
          media_types: listOf(text(1, 255), { atMost: 10 }),
        },
        { required: ['action'] },
      ),
      { atMost: 50 },
    ),
  },
  { atLeast: 1 },
)

export const setCacheSettings = defineAction({
  parameters: members(
    {
      additional_cacheable_ports: listOf(integer(1, 65_535)),
      browser_ttl: members({ default: integer(0), mode: oneOf(...MODES, 'bypass') }, { required: ['mode'] }),
      cache: flag,
      cache_key: cacheKey,
      cache_reserve: members({ eligible: flag, minimum_file_size: integer(0) }, { required: ['eligible'] }),
      edge_ttl: edgeTtl,
      origin_cache_control: flag,
      origin_error_page_passthru: flag,
      read_timeout: integer(100, 6_000),
      respect_strong_etags: flag,
      serve_stale: members({ disable_stale_while_updating: flag }),
      shared_dictionary: members({ match_pattern: text(1, 1_024) }, { required: ['match_pattern'] }),
      strip_etags: flag,
      strip_last_modified: flag,
      strip_set_cookie: flag,
      vary,
    },
    { atLeast: 1 },
  ),
  needsParameters: true,
  terminates: false,
})
