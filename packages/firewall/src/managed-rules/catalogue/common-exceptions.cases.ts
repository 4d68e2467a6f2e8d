// For each rule of common-exceptions.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get } from './sample-requests.cases.ts'

export const COMMON_EXCEPTIONS_SAMPLES: RuleSamples = {
  a2abc4fbc452ed772644bfe366348f77: {
    matching: get('/', { 'user-agent': 'Apache/2.4 (internal dummy connection)' }),
    passing: get('/', { 'user-agent': 'Mozilla/5.0 (internal tools)' }),
  },
  c5c14a4247ec80658f4af684f454d7e6: {
    matching: get('/admin', { 'x-forwarded-for': '127.0.0.1' }),
    passing: get('/', { 'x-forwarded-for': '198.51.100.7' }),
  },
  '5bc1e4f5165eb756a3113e4a143ee07c': {
    matching: get("/?id=1'", { 'user-agent': 'kube-probe/1.29' }),
    passing: get('/healthz?verbose', { 'user-agent': 'kube-probe/1.29' }),
  },
  '3341a7e6562dd06773abdd93085417de': {
    matching: get('/logo.png?x=%3Cscript%3E'),
    passing: get('/logo.png?v=3&x=a/b'),
  },
  '85d5f63f86c921e05cbc4fc5d4b968b8': {
    matching: {
      ...form('/ajax', 'a=%3Cscript%3E'),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-requested-with': 'XMLHttpRequest' },
    },
    passing: {
      ...form('/ajax', 'a=b'),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-requested-with': 'XMLHttpRequest' },
    },
  },
}
