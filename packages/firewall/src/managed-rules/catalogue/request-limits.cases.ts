// For each rule of request-limits.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, upload } from './sample-requests.cases.ts'

const repeated = (count: number): string => Array.from({ length: count }, (_, i) => `a${i}=1`).join('&')

export const REQUEST_LIMITS_SAMPLES: RuleSamples = {
  b64484c0e12676b2681914478fdcc172: {
    matching: get(`/?${repeated(256)}`),
    passing: get(`/?${repeated(255)}`),
  },
  '498773a0ce29ea60355ba9cc1ef10d69': {
    matching: get(`/?${'a'.repeat(101)}=1`),
    passing: get(`/?${'a'.repeat(100)}=1`),
  },
  '7fb27bf126b3507b929fa538e53c46cb': {
    matching: get(`/?a=${'b'.repeat(2001)}`),
    passing: get(`/?a=${'b'.repeat(2000)}`),
  },
  '2d513740e5aa967b7175fdfc4288d943': {
    matching: get(`/?${repeated(800)}`),
    passing: get(`/?${repeated(100)}`),
  },
  '26fe28664ae786aa2298265bec85899c': {
    matching: form('/', repeated(1001)),
    passing: form('/', repeated(1000)),
  },
  '1d260194cb8c3ee62b59e42071ee72f5': {
    matching: get('/a'.repeat(41)),
    passing: get('/a'.repeat(40)),
  },
  '47f3705d9061df8c3e042b515051d935': {
    matching: upload('/upload', `${'a'.repeat(256)}.txt`, 'x'),
    passing: upload('/upload', `${'a'.repeat(200)}.txt`, 'x'),
  },
}
