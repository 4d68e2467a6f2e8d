// For each rule of protocol-violations.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, upload } from './sample-requests.cases.ts'

export const PROTOCOL_VIOLATIONS_SAMPLES: RuleSamples = {
  b8d76532f4ebcc9bb9e6750fd82b580d: {
    matching: get('/sale?off=50%zz'),
    passing: get('/sale?off=50%25'),
  },
  '57599fcbf6331557ef5d1490f3a3632b': {
    matching: get('/file%00.jpg'),
    passing: get('/file%200.jpg'),
  },
  '4388774c798fc4fe5659c135273006e1': {
    matching: get('/a', { 'x-note': 'bell\u0007' }),
    passing: get('/a', { 'x-note': 'tab\there' }),
  },
  bf557f684f3cf06f4d3d3e4e985f9547: {
    matching: { method: 'POST', target: '/', headers: { 'content-length': '4, 30' } },
    passing: { method: 'POST', target: '/', headers: { 'content-length': '0' } },
  },
  '17a197128520ff4cf6be1d61e6c5bf60': {
    matching: { method: 'POST', target: '/', headers: { 'transfer-encoding': 'xchunked' } },
    passing: { method: 'POST', target: '/', headers: { 'transfer-encoding': 'chunked' } },
  },
  cf3551ae186221336c8ce579077939ae: {
    matching: {
      method: 'POST',
      target: '/',
      headers: { 'content-type': 'text/plain' },
      body: '0\r\n\r\nGET /admin HTTP/1.1\r\nX: y',
    },
    passing: {
      method: 'POST',
      target: '/',
      headers: { 'content-type': 'text/plain' },
      body: 'How to GET /admin over HTTP/1.1',
    },
  },
  ef3457fb1d3a9ea73669f66dc4d9925d: {
    matching: { method: 'GET', target: '/search', headers: { 'content-type': 'text/plain' }, body: 'q' },
    passing: get('/search?q=1'),
  },
  a1a00615e2aa1355a597c131493f5aa8: {
    matching: get('/video.mp4', { range: 'bytes=0-,5-0,5-1,5-2,5-3,5-4,5-5' }),
    passing: get('/video.mp4', { range: 'bytes=0-1023, 4096-5119' }),
  },
  '54173e8fc0d99240afe0eab75ffe21d2': {
    matching: get('/..%c0%af..%c0%afetc'),
    passing: get('/caf%c3%a9'),
  },
  '9f4958acc9090d5440f940a4a33ad6d1': {
    matching: get('/view?f=%252e%252e%252f'),
    passing: get('/sale?off=50%25+off'),
  },
  d5ede7c9a985313606f0c75cc32b4030: {
    matching: upload('/upload', '../../var/www/a.txt', 'x'),
    passing: upload('/upload', "Anna's report (final).pdf", '%PDF-1.7'),
  },
  '04cc132de19357674e0b118db7497275': {
    matching: form('/x', 'a=%c0%ae'),
    passing: form('/x', 'a=%c3%a9'),
  },
}
