// For each rule of http-policy.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get } from './sample-requests.cases.ts'

export const HTTP_POLICY_SAMPLES: RuleSamples = {
  '286f92d15c5e768753258ab90b3d5238': {
    matching: { method: 'TRACE' },
    passing: { method: 'PATCH' },
  },
  c2bdc3b30f8f9bdd5f89722f352f10d6: {
    matching: { method: 'PROPFIND' },
    passing: { method: 'DELETE' },
  },
  dd1e26a73ce089d6b96418a169ac9c24: {
    matching: { version: 'HTTP/0.9' },
    passing: { version: 'HTTP/2' },
  },
  '3b8e77cf2f5a86ebc1fbfc7849910da1': {
    matching: { method: 'POST', headers: { 'content-type': '%{(#nike=1)}' }, body: 'x' },
    passing: form('/', 'a=1'),
  },
  ef1c6350bd10b6caadc8a95fddb839ba: {
    matching: {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=ibm037' },
      body: 'a=1',
    },
    passing: {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: 'a=1',
    },
  },
  ab2ef73ac9523b0bc487763a7bf8b0d9: {
    matching: get('/backup.sql'),
    passing: get('/sqlite/guide.html'),
  },
  '8576de5e456e7f2c28f927995633bda9': {
    matching: get('/.git/config'),
    passing: get('/.well-known/security.txt'),
  },
  a33b418de1f1880083424aa8ee8e2ab8: {
    matching: get('/', { 'x-original-url': '/admin' }),
    passing: get('/', { 'x-request-id': 'a1' }),
  },
  f696cfae7dc257b463a7be0f0216e728: {
    matching: {
      method: 'POST',
      headers: { 'content-encoding': 'gzip, gzip', 'content-type': 'text/plain' },
      body: 'x',
    },
    passing: {
      method: 'POST',
      headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' },
      body: 'x',
    },
  },
}
