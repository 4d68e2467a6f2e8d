// For each rule of bad-robots.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'

export const BAD_ROBOTS_SAMPLES: RuleSamples = {
  dc9dcde3d7b5ff0a69feeafad6aed0b1: {
    matching: { headers: { 'user-agent': 'Mozilla/5.00 (Nikto/2.5.0) (Evasions:None) (Test:map_codes)' } },
    passing: { headers: { 'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) Safari/605.1.15' } },
  },
  d306ddbb0175a331be9d9b5c20f70dba: {
    matching: { headers: { 'user-agent': 'sqlmap/1.8#stable (https://sqlmap.org)' } },
    passing: { headers: { 'user-agent': 'curl/8.7.1' } },
  },
  c1f1992e7cb66c379e2eff8268e52d5c: {
    matching: { headers: { 'user-agent': 'EmailCollector/1.0' } },
    passing: {
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    },
  },
  '159d20d1b5ab017ed55c142334abdf1e': {
    matching: { headers: { 'acunetix-product': 'WVS/24.1' } },
    passing: { headers: { 'x-requested-with': 'XMLHttpRequest' } },
  },
  '567f27fc49fabcb58ab77a7fe25bf16f': {
    matching: { target: '/acunetix-wvs-test?x=acunetix_wvs_security_test' },
    passing: { target: '/security/test?x=audit' },
  },
  a8a69d4acfbf8e927e3e5b15e51f1cc8: {
    matching: { target: '/search?q=shoes', headers: { 'user-agent': 'python-requests/2.32.3' } },
    passing: { target: '/feed.xml', headers: { 'user-agent': 'python-requests/2.32.3' } },
  },
  a3d8fb6e2117268336af937f6331b77b: {
    matching: { headers: { 'user-agent': '() { :; }; /bin/bash -c "id"' } },
    passing: { headers: { 'user-agent': 'ExampleApp/2.4 (iPhone; iOS 17.5; Scale/3.00)' } },
  },
}
