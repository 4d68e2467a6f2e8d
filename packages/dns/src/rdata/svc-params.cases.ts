// Random service parameters, well-formed and by ascending key.
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { anyOctets, someOctets } from './arbitraries.cases.ts'
import type { SvcParam } from './svc-params.ts'

/** Any of the common keys and two unknown keys, with these protocol identifiers. */
export const serviceParams = (protocol: Arbitrary<Uint8Array>): Arbitrary<readonly SvcParam[]> =>
  fc
    .record(
      {
        1: fc
          .array(protocol, { minLength: 1, maxLength: 3 })
          .map((ids) => concat(ids.map((id) => [id.length, ...id]))),
        3: fc.uint8Array({ minLength: 2, maxLength: 2 }),
        4: hints(4),
        5: someOctets,
        6: hints(16),
        667: anyOctets,
        65534: anyOctets,
      },
      { requiredKeys: [] },
    )
    .map((chosen) => Object.entries(chosen).map(([key, value]) => ({ key: Number(key), value })))

/** With `mandatory=key667` and `no-default-alpn`, whether or not the other parameters exist. */
export const flaggedParams: Arbitrary<readonly SvcParam[]> = serviceParams(
  fc.uint8Array({ minLength: 1, maxLength: 20 }),
).map((list) => [
  { key: 0, value: Uint8Array.of(2, 155) },
  ...list.filter(({ key }) => key === 1),
  { key: 2, value: new Uint8Array() },
  ...list.filter(({ key }) => key > 1),
])

/** One to three addresses of `size` octets. */
function hints(size: number) {
  return fc
    .array(fc.uint8Array({ minLength: size, maxLength: size }), { minLength: 1, maxLength: 3 })
    .map(concat)
}

function concat(parts: readonly Iterable<number>[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
