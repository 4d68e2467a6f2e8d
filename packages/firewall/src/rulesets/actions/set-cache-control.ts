// set_cache_control: sets or removes directives of the Cache-Control header.
import {
  flag,
  integer,
  listOf,
  members,
  oneOf,
  text,
  where,
  valueIssue,
  pointerTo,
  requiredIssue,
} from '../parameter-shape.ts'
import { defineAction } from './action.ts'

const operation = oneOf('set', 'remove')
const directive = members({ operation, cloudflare_only: flag }, { required: ['operation'] })
const qualified = members(
  { operation, cloudflare_only: flag, qualifiers: listOf(text(), {}) },
  { required: ['operation'] },
)

interface Timed {
  readonly operation: 'set' | 'remove'
  readonly value?: number
}

const timed = where(
  members({ operation, cloudflare_only: flag, value: integer(0) }, { required: ['operation'] }),
  (sent: Timed, at) => {
    const isSet = sent.operation === 'set'
    if (isSet === (sent.value !== undefined)) return []
    const place = pointerTo(at, 'value')
    return [isSet ? requiredIssue(place) : valueIssue(place, sent.value, 'nothing is set')]
  },
)

export const setCacheControl = defineAction({
  parameters: members(
    {
      immutable: directive,
      'max-age': timed,
      'must-revalidate': directive,
      'must-understand': directive,
      'no-cache': qualified,
      'no-store': directive,
      'no-transform': directive,
      private: qualified,
      'proxy-revalidate': directive,
      public: directive,
      's-maxage': timed,
      'stale-if-error': timed,
      'stale-while-revalidate': timed,
    },
    { atLeast: 1 },
  ),
  needsParameters: true,
  terminates: false,
})
