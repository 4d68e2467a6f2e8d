import * as fc from 'fast-check'
import type { Loc } from './loc.ts'
import type { TypeCases } from './type-cases.cases.ts'

const DEGREE = 3_600_000
const at = (changes: Partial<Loc>): Loc => ({
  version: 0,
  size: 100,
  horizontalPrecision: 1_000_000,
  verticalPrecision: 1_000,
  latitude: 0,
  longitude: 0,
  altitude: 0,
  ...changes,
})

const size = fc.tuple(fc.nat(9), fc.nat(9)).map(([digit, power]) => digit * 10 ** power)
const anyPlace = fc.record({
  version: fc.constant(0 as const),
  size,
  horizontalPrecision: size,
  verticalPrecision: size,
  latitude: fc.integer({ min: -90 * DEGREE, max: 90 * DEGREE }),
  longitude: fc.integer({ min: -180 * DEGREE, max: 180 * DEGREE }),
  altitude: fc.integer({ min: -10_000_000, max: 4_284_967_295 }),
})

export const locCases: TypeCases<Loc> = {
  valid: [
    [
      'the example of RFC 1876 §4',
      '42 21 54.000 N 71 06 18.000 W -24.00m 30.00m 10000.00m 10.00m',
      '0033161389172dd070be15f000988d20',
      '42 21 54.000 N 71 6 18.000 W -24.00m 30.00m 10000.00m 10.00m',
    ],
    [
      'no unit',
      '37 46 46.000 N 122 23 35.000 W 0.00 100.00 0.00 0.00',
      '00140000881b497065bcbfa800989680',
      '37 46 46.000 N 122 23 35.000 W 0.00m 100.00m 0.00m 0.00m',
    ],
    [
      'defaults for the sizes',
      '42 21 43.952 N 71 5 6.344 W -24m',
      '001216138917069070bf2dd800988d20',
      '42 21 43.952 N 71 5 6.344 W -24.00m 1.00m 10000.00m 10.00m',
    ],
    [
      'a default for the last size',
      '42 21 43.952 N 71 5 6.344 W -24m 1m 200m',
      '001224138917069070bf2dd800988d20',
      '42 21 43.952 N 71 5 6.344 W -24.00m 1.00m 200.00m 10.00m',
    ],
    [
      'whole minutes',
      '52 14 N 0 8 E 10m',
      '001216138b3543408007530000989a68',
      '52 14 0.000 N 0 8 0.000 E 10.00m 1.00m 10000.00m 10.00m',
    ],
    [
      'whole degrees',
      '32 S 116 E 10m',
      '001216137922300098e4120000989a68',
      '32 0 0.000 S 116 0 0.000 E 10.00m 1.00m 10000.00m 10.00m',
    ],
    [
      'a pole',
      '90 0 0.000 S 0 0 0.000 E 2835.00m 1.00m 10000.00m 10.00m',
      '001216136cb0270080000000009ce9ec',
    ],
    [
      'the date line',
      '0 0 0.000 N 180 0 0.000 W 0.00m 1.00m 10000.00m 10.00m',
      '001216138000000059604e0000989680',
    ],
    [
      'the lowest altitude',
      '1 2 3.000 N 4 5 6.000 E -100000.00m 1.00m 10000.00m 10.00m',
      '001216138038cef880e0655000000000',
    ],
    [
      'the highest altitude',
      '1 2 3.000 N 4 5 6.000 E 42849672.95m 1.00m 10000.00m 10.00m',
      '001216138038cef880e06550ffffffff',
    ],
    [
      'the largest sizes',
      '1 2 3.000 N 4 5 6.000 E 0.00m 90000000.00m 90000000.00m 90000000.00m',
      '009999998038cef880e0655000989680',
    ],
    [
      'the smallest sizes',
      '1 2 3.000 N 4 5 6.000 E 0.00m 0.01m 0.00m 0.09m',
      '001000908038cef880e0655000989680',
    ],
    [
      'short fractions',
      '1 2 3.5 N 4 5 6.05 E 0.5m',
      '001216138038d0ec80e06582009896b2',
      '1 2 3.500 N 4 5 6.050 E 0.50m 1.00m 10000.00m 10.00m',
    ],
    [
      'zero south is zero north',
      '0 0 0.000 S 0 0 0.000 W 0m',
      '00121613800000008000000000989680',
      '0 0 0.000 N 0 0 0.000 E 0.00m 1.00m 10000.00m 10.00m',
    ],
    [
      'lower case',
      '1 2 3 n 4 5 6 e 7M',
      '001216138038cef880e065500098993c',
      '1 2 3.000 N 4 5 6.000 E 7.00m 1.00m 10000.00m 10.00m',
    ],
  ],
  values: [
    ['0 0 0.000 N 0 0 0.000 E 0.00m 1.00m 10000.00m 10.00m', at({})],
    [
      '0 0 0.001 S 0 0 0.001 W -0.01m 0.00m 0.00m 0.00m',
      at({
        latitude: -1,
        longitude: -1,
        altitude: -1,
        size: 0,
        horizontalPrecision: 0,
        verticalPrecision: 0,
      }),
    ],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no longitude', '1 2 3 N', 'text.missing'],
    ['no altitude', '1 2 3 N 4 5 6 E', 'text.missing'],
    ['no hemisphere', '1 2 3 4 5 6 E 0m', 'loc.latitude', 6],
    ['the other hemisphere', '1 2 3 E 4 5 6 N 0m', 'loc.latitude', 6],
    ['a latitude over 90 degrees', '90 0 0.001 N 0 E 0m', 'loc.latitude', 0],
    ['a longitude over 180 degrees', '0 N 181 E 0m', 'loc.longitude', 4],
    ['60 minutes', '1 60 0 N 4 5 6 E 0m', 'loc.latitude', 0],
    ['60 seconds', '1 2 60 N 4 5 6 E 0m', 'loc.latitude', 0],
    ['four digits after the point', '1 2 3.0001 N 4 5 6 E 0m', 'loc.latitude', 4],
    ['a negative degree', '-1 2 3 N 4 5 6 E 0m', 'text.number', 0],
    ['feet', '1 2 3 N 4 5 6 E 10ft', 'loc.altitude', 16],
    ['three decimals of a meter', '1 2 3 N 4 5 6 E 0.001m', 'loc.altitude', 16],
    ['too low', '1 2 3 N 4 5 6 E -100000.01m', 'loc.altitude'],
    ['too high', '1 2 3 N 4 5 6 E 42849672.96m', 'loc.altitude'],
    ['too large', '1 2 3 N 4 5 6 E 0m 100000000.00m', 'loc.size'],
    ['a size of two digits', '1 2 3 N 4 5 6 E 0m 0.25m', 'loc.size'],
    ['a precision of four digits', '1 2 3 N 4 5 6 E 0m 1m 12.34m', 'loc.horizontalPrecision'],
    ['a negative size', '1 2 3 N 4 5 6 E 0m -1m', 'loc.size'],
    ['five sizes', '1 2 3 N 4 5 6 E 0m 1m 1m 1m 1m', 'text.trailing'],
  ],
  badValue: [
    ['a latitude beyond the pole', at({ latitude: 90 * DEGREE + 1 }), ['loc.latitude']],
    ['a longitude beyond the date line', at({ longitude: -180 * DEGREE - 1 }), ['loc.longitude']],
    ['half a millisecond of arc', at({ latitude: 0.5 }), ['loc.latitude']],
    ['a size of two digits', at({ size: 120 }), ['loc.size']],
    ['a size over the largest', at({ size: 1e10 }), ['loc.size']],
    [
      'everything out of range',
      at({
        size: -1,
        horizontalPrecision: 11,
        verticalPrecision: 0.5,
        latitude: 1e10,
        longitude: 1e10,
        altitude: 1e10,
      }),
      [
        'loc.size',
        'loc.horizontalPrecision',
        'loc.verticalPrecision',
        'loc.latitude',
        'loc.longitude',
        'loc.altitude',
      ],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['another version', '01121613800000008000000000989680', 'wire.value'],
    ['a size with digit 10', '00a21613800000008000000000989680', 'wire.value'],
    ['a size with ten zeros', '001a1613800000008000000000989680', 'wire.value'],
    ['a latitude beyond the pole', '001216139350f2018000000000989680', 'wire.value'],
    ['a longitude beyond the date line', '0012161380000000ffffffff00989680', 'wire.value'],
    ['no altitude', '001216138000000080000000', 'wire.truncated'],
    ['trailing data', '0012161380000000800000000098968000', 'wire.trailing'],
  ],
  any: anyPlace,
}
