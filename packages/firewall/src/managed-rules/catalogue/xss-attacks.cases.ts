// For each rule of xss-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { get, json } from './sample-requests.cases.ts'

export const XSS_ATTACKS_SAMPLES: RuleSamples = {
  '4df9e388d11099dcfdd99c6ef5c9eb44': {
    matching: get('/search?q=%3CScRiPt%20%3Ealert(1)%3C/script%3E'),
    passing: get('/search?q=script+%3C+program'),
  },
  '5b32478152d101212475e63c9d853477': {
    matching: get('/search?q=%3Cimg%20src=x%20onerror=alert(1)%3E'),
    passing: json('/posts', '{"html":"<img src=\\"a.png\\" alt=\\"Turn on = ready\\">"}'),
  },
  '5e88160986dc6c71a7df4dd1ac2bdb14': {
    matching: get('/search?q=%22%20onfocus=alert(1)%20autofocus%20x=%22'),
    passing: get('/search?q="on loading" = true'),
  },
  b967d55335621d8d0ebd74c18936b02d: {
    matching: get('/go?url=java%0Ascript:alert(document.domain)'),
    passing: json('/posts', '{"title":"Learning JavaScript: the basics"}'),
  },
  '6fc5d61290a94e7f26585a0784f434e2': {
    matching: get('/search?q=%3Ciframe%20src=//192.0.2.66%3E'),
    passing: get('/search?q=iframe+or+object'),
  },
  '199ff3217cae2cf36d72954a7617464f': {
    matching: get('/search?q=%3Csvg/onload=alert(1)%3E'),
    passing: json('/posts', '{"html":"<video controls src=\\"/a.mp4\\"></video>"}'),
  },
  d80bfd0ab6f24ba8115248508a3ff667: {
    matching: get('/search?q=%27-alert(document.domain)-%27'),
    passing: json('/posts', '{"text":"print (see page 4) and alert (the team)"}'),
  },
  '01141a62a2d023d7c6a7d6e8cbd35abc': {
    matching: get('/search?q=%3Cx%20y=document%5B%27cookie%27%5D%3E'),
    passing: json('/posts', '{"text":"see the document. Cookies follow"}'),
  },
  f0418c6759ffa1aa1d639db9f784485e: {
    matching: get('/search?q=eval(String.fromCharCode(97,108))'),
    passing: json('/posts', '{"text":"the constructor of the filter"}'),
  },
  ab7f0d16d094f97af3667cbd7c359678: {
    matching: get('/search?q=%3Cmeta%20http-equiv=refresh%20content=0;url=//192.0.2.66%3E'),
    passing: get('/search?q=style+of+expression'),
  },
  '60576f7b88c1311e0a9a918aa5550b2d': {
    matching: get('/search?q=%3Cimg/src=x/onerror%09=alert(1)%3E'),
    passing: get('/search?q=<b>on load</b>'),
  },
  '2737273cb175b4d8bdfac350a98cddde': {
    matching: get('/search?q=%26%2360;script%26%2362;alert(1)'),
    passing: json('/posts', '{"text":"caf&#233; &amp; bar &#8211; open"}'),
  },
  '2938a8fa09800133b20d5c6ec6f71780': {
    matching: get("/search?q={{constructor.constructor('alert(1)')()}}"),
    passing: get('/search?q={{name}}'),
  },
  c2ab1543afcfb922659d3593ea9f8c7b: {
    matching: get('/search?q=x%20onclick=go()'),
    passing: get('/search?q=on+click+go'),
  },
  e4362d7de5e69873878b47325c490890: {
    matching: get('/search?q=%3Cimg%20src=//192.0.2.66/x%3E'),
    passing: get('/search?q=<img src=/logo.png>'),
  },
  '1e788ef0807ac758b12411513b8c073d': {
    matching: get('/search?q=%3C!--[if%20IE]%3E'),
    passing: get('/search?q=%3C!--+note+--%3E'),
  },
  c0ea49a4e907fa8df9362ed55e24fa50: {
    matching: get("/search?q=location='//192.0.2.66'"),
    passing: get('/search?q=location+of+name'),
  },
  '40640a4d3fdd75b39cbed0407871aa9f': {
    matching: get('/search?q=alert%60document.domain%60'),
    passing: get('/search?q=the+alert+bell'),
  },
  e1f5a4f8f8af332de15c06be7d05c474: {
    matching: get('/search?q=%3Cb%3Ebold%3C/b%3E'),
    passing: get('/search?q=a+%3C+b'),
  },
  '41e6f815fb28d96fea62e249a55599e6': {
    matching: get('/search?q=%3Cb(%22%3E'),
    passing: get('/search?q=3+%3C+4'),
  },
}
