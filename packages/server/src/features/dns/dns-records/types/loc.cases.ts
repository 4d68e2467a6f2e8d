// LOC as the API accepts and shows it.
import { apiCases, missing, wrong } from './api-cases.cases.ts'

const data = {
  altitude: 0,
  lat_degrees: 37,
  lat_direction: 'N',
  lat_minutes: 46,
  lat_seconds: 46,
  long_degrees: 122,
  long_direction: 'W',
  long_minutes: 23,
  long_seconds: 35,
  precision_horz: 0,
  precision_vert: 0,
  size: 100,
}
const shown = { content: '37 46 46.000 N 122 23 35.000 W 0.00 100.00 0.00 0.00', data }
const REQUIRED = missing('altitude', 'lat_degrees', 'lat_direction', 'long_degrees', 'long_direction')

export const locCases = apiCases({
  name: 'loc',
  // Meters have their unit.
  served: ({ content }) => content.replace(/[EW] .*/, (metres) => metres.replaceAll(/\.\d\d/g, '$&m')),
  valid: [
    ['parts', { data }, shown],
    [
      'the largest size',
      { data: { ...data, size: 90_000_000 } },
      {
        content: '37 46 46.000 N 122 23 35.000 W 0.00 90000000.00 0.00 0.00',
        data: { ...data, size: 90_000_000 },
      },
    ],
    [
      'numbers as strings',
      { data: { ...data, altitude: '0.00', lat_degrees: '37', lat_seconds: '46.000', size: '100' } },
      shown,
    ],
    ['directions in lower case', { data: { ...data, lat_direction: 'n', long_direction: 'w' } }, shown],
    ['content as in replies', { content: shown.content }, shown],
    ['zone-file text', { content: '37 46 46 N 122 23 35 W 0m 100m 0m 0m' }, shown],
    [
      'content as replies had it in the past',
      { content: 'IN LOC 37 46 46 N 122 23 35 W 0m 100m 0m 0m' },
      shown,
    ],
    [
      'a depth, and fractions',
      { data: { ...data, altitude: -24.05, lat_seconds: 43.952, size: 0.01 } },
      {
        content: '37 46 43.952 N 122 23 35.000 W -24.05 0.01 0.00 0.00',
        data: { ...data, altitude: -24.05, lat_seconds: 43.952, size: 0.01 },
      },
    ],
    [
      'only the required members',
      { data: { altitude: 10, lat_degrees: 32, lat_direction: 'S', long_degrees: 116, long_direction: 'E' } },
      {
        content: '32 0 0.000 S 116 0 0.000 E 10.00 1.00 10000.00 10.00',
        data: {
          altitude: 10,
          lat_degrees: 32,
          lat_direction: 'S',
          lat_minutes: 0,
          lat_seconds: 0,
          long_degrees: 116,
          long_direction: 'E',
          long_minutes: 0,
          long_seconds: 0,
          precision_horz: 10_000,
          precision_vert: 10,
          size: 1,
        },
      },
    ],
    [
      'the highest altitude',
      { data: { ...data, altitude: 42_849_672.95 } },
      {
        content: '37 46 46.000 N 122 23 35.000 W 42849672.95 100.00 0.00 0.00',
        data: { ...data, altitude: 42_849_672.95 },
      },
    ],
  ],
  invalid: [
    ['nothing', {}, REQUIRED],
    ['invalid content', { content: 'here' }, ['9007 /content']],
    [
      'other directions',
      { data: { ...data, lat_direction: 'E', long_direction: 'N' } },
      wrong('lat_direction', 'long_direction'),
    ],
    [
      '60 minutes and seconds',
      { data: { ...data, lat_minutes: 60, lat_seconds: 60 } },
      wrong('lat_minutes', 'lat_seconds'),
    ],
    ['more than 90 degrees', { data: { ...data, lat_degrees: 91 } }, wrong('lat_degrees')],
    ['90 degrees and a minute', { data: { ...data, lat_degrees: 90 } }, wrong('lat_degrees')],
    ['180 degrees and a minute', { data: { ...data, long_degrees: 180 } }, wrong('long_degrees')],
    ['half a degree', { data: { ...data, lat_degrees: 37.5 } }, wrong('lat_degrees')],
    ['too low', { data: { ...data, altitude: -100_000.01 } }, wrong('altitude')],
    ['too high', { data: { ...data, altitude: 42_849_672.96 } }, wrong('altitude')],
    [
      'a size of two significant digits, which the wire cannot represent',
      { data: { ...data, size: 0.25 } },
      wrong('size'),
    ],
    [
      'precisions of two significant digits',
      { data: { ...data, precision_horz: 25, precision_vert: 123.45 } },
      wrong('precision_horz', 'precision_vert'),
    ],
    [
      'a size of two significant digits in content',
      { content: '37 46 46 N 122 23 35 W 0m 0.25m' },
      ['9007 /content'],
    ],
    [
      'too large',
      { data: { ...data, size: 90_000_001, precision_horz: -1, precision_vert: 'x' } },
      wrong('precision_horz', 'precision_vert', 'size'),
    ],
  ],
})
