// For each rule of protocol-anomalies.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get } from './sample-requests.cases.ts'

export const PROTOCOL_ANOMALIES_SAMPLES: RuleSamples = {
  '25887446d97dec129c7cc48a2c22c2f3': {
    matching: get('/', { host: '' }),
    passing: get('/'),
  },
  bbe1b08b017ffea6a3e293c415081548: {
    matching: get('/', { host: '192.0.2.1' }),
    passing: get('/', { host: '192.example.com:8443' }),
  },
  b7f177a5da5a4fab1d8fb0aee24c0803: {
    matching: get('/', { 'user-agent': null }),
    passing: get('/', { 'user-agent': 'curl/8.7.1' }),
  },
  db141891dc712a2ef712919ee641a5ae: {
    matching: get('/', { accept: null }),
    passing: get('/', { accept: null, 'user-agent': 'curl/8.7.1' }),
  },
  b9d9bff3459e110b337231851bf9346f: {
    matching: { method: 'POST', target: '/api', body: 'a=1' },
    passing: form('/api', 'a=1'),
  },
  b09d6873d28d813c97c2bfeaa5db20af: {
    matching: get('/', { connection: 'keep-alive, close' }),
    passing: get('/', { connection: 'keep-alive, upgrade' }),
  },
  '1f8526a6d25089dc18b38d30fcd00d54': {
    matching: get('/', { 'user-agent': 'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)' }),
    passing: get('/'),
  },
  '849493580022e51e41da5cc2470856a5': {
    matching: get('/cgi-bin/x', { proxy: 'http://192.0.2.66:8080' }),
    passing: get('/', { 'proxy-connection': 'keep-alive', 'if-match': '"a"' }),
  },
  ca86c791530f18060122ce85315cb218: {
    matching: get('/', { accept: null, 'accept-language': null }),
    passing: get('/', { 'accept-language': null }),
  },
}
