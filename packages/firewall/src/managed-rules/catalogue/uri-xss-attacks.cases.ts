// For each rule of uri-xss-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get } from './sample-requests.cases.ts'

export const URI_XSS_ATTACKS_SAMPLES: RuleSamples = {
  d75da480ed6873c1704a9f58fdc183b9: {
    matching: get('/%3Cscript%3Ealert(1)%3C/script%3E'),
    passing: form('/posts', 'text=%3Cscript%3E'),
  },
  '76e6525fe508b71a684a891e8a2be4ba': {
    matching: get('/?q=%3Cbody%20onload%3Dalert(1)%3E'),
    passing: get('/?q=body+onload'),
  },
  '78e0b47cccfcb495380022c8d2f2e9d7': {
    matching: get('/?q=%22onmouseover=alert(1)//'),
    passing: get('/?q=%22on+load%22'),
  },
  '2bb9f822cc66ef752cd05b13c5cfe101': {
    matching: get('/?next=javascript:alert(1)'),
    passing: get('/?tag=javascript'),
  },
  '31d809800a0177c0fd84680eabd51af0': {
    matching: get('/?q=%3Csvg%3E%3Canimate%20onbegin=alert(1)%3E'),
    passing: get('/?q=svg+or+math'),
  },
  b56c1e55de7793a452b0a5dc10123f33: {
    matching: get('/?q=%27-confirm(1)-%27'),
    passing: get('/?q=print+page'),
  },
  '8f202823e20d380a14c4949510b4fcd9': {
    matching: get('/?q=%3Cx%3Edocument.cookie'),
    passing: get('/window/open'),
  },
  '1c68472f5eb99399746a879b9d8aabd7': {
    matching: get('/?q=%22%3E%3Ch1%3Ehello'),
    passing: get('/?q=%3E+5'),
  },
  '82457c26282ac15f87eebcc5f9da656a': {
    matching: get('/?q=%3Cb%3Ebold'),
    passing: get('/?q=5%3C6'),
  },
  '46413121fe4c790bd4fb2117523ca4b9': {
    matching: get('/?q=%7B%7B7*7%7D%7D'),
    passing: get('/?q=%7B%7Bname%7D%7D'),
  },
}
