// For each rule of behavior-rules.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export const BEHAVIOR_RULES_SAMPLES: RuleSamples = {
  fc7d0e04d6d3170d6a1b60f2a9c88f65: {
    matching: { target: '/?c=java.lang.Runtime' },
    passing: { target: '/?q=why+java.lang.Runtime+is+slow' },
  },
  '04ec22423a31884d1d4703a935a52411': {
    matching: { target: '/?a=org.apache.commons.collections.functors.InvokerTransformer' },
    passing: { target: '/?q=the+invokertransformer+class' },
  },
  d880d62faf5ed8926ef879f74fa6e776: {
    matching: { method: 'POST', headers: FORM, body: 'a=rO0ABXNyABFqYXZh' },
    passing: { method: 'POST', headers: FORM, body: 'a=r00ABX' },
  },
  '89329702f4a78122f4011bae8dc354da': {
    matching: { target: '/?a=for+/f+%25i+in+(*)+do+set+x' },
    passing: { target: '/?q=for+one+week+in+(may)+we+do+not' },
  },
  '606e226660b9a27e847123dd73e877a7': {
    matching: { target: '/?a=if+not+exist+C:%5Cx.txt+echo+hey' },
    passing: { target: '/?q=if+not+exist+then+what&r=If+defined,+parity+checking+is+enabled.' },
  },
  '493f0f05a17491eefc03334842244448': {
    matching: { headers: { 'x-filename': 'a.php5' } },
    passing: { headers: { 'x-filename': 'a.php5.txt' } },
  },
  fd13df54845009f29738285dd9e978cd: {
    matching: { target: '/?x=auto_prepend_file%3Dphp://input' },
    passing: { target: '/?x=session.name' },
  },
  '9f1fe717cdcb887a764bbfa565f8e01c': {
    matching: { target: '/?f=php://stdout' },
    passing: { target: '/?q=what+is+php://stdout' },
  },
  '40931cd376ae44203166be9fd9f3b5c7': {
    matching: { method: 'POST', headers: FORM, body: 'a=get_defined_functions()' },
    passing: { method: 'POST', headers: FORM, body: 'a=Please exec (run) it' },
  },
  '8a1aa1daeae771e95633768c42184755': {
    matching: { target: '/?x=$_GET[0]($_GET[1])' },
    passing: { target: '/?x=$5+(five+dollars)' },
  },
  c09754d290f84943ccf7d71c92dede04: {
    matching: { target: '/?x=this.constructor.constructor' },
    passing: { target: '/?x=this.constructor' },
  },
  '47fe0b563a65bb27a9d47475f86c3905': {
    matching: { target: `/?a=self["alert"](1)` },
    passing: { target: '/?a=top+[of]+page' },
  },
  d8ea510412375f93fc0fd12c6444652c: {
    matching: { target: '/?a=<x+onend=1' },
    passing: { target: '/?a=one+<+two+on+sale' },
  },
  d0620cd436da3de073c703c2ebb8dd3b: {
    matching: { target: '/?a=ja%26tab%3Bvascript%3Aalert(1)' },
    passing: { target: '/?a=java+script' },
  },
  '1969a25112000ef855ace4680a392186': {
    matching: { target: '/?id=sleep(20)' },
    passing: { target: '/?q=sleep+(deep)+now' },
  },
  e447f92347c0be38d025941009bbf1d2: {
    matching: { target: '/?id=1+procedure+analyse(' },
    passing: { target: '/?q=select+a+union+delegate' },
  },
  '249855b51e3a698319fb1a0d167d498f': {
    matching: { target: '/?u[$ne]=2' },
    passing: { target: '/?u[ne]=2' },
  },
  ce680a4f3b01971b4ea2f0f22c973fb4: {
    matching: { target: '/?user=bar)(%26)' },
    passing: { target: '/?q=note+(one)+(two)' },
  },
  '57b960239e189b5c30b4500bec16b8b4': {
    matching: { target: '/?a=x%0d%0aSet-Cookie:+a=b' },
    passing: { target: '/?a=one%0d%0atwo' },
  },
  bc3f032466d49e62eb51f6f301f58350: {
    matching: { target: '/foo%0abar' },
    passing: { target: '/foo%20bar' },
  },
  '1b0ab5f3348b5c4858c8007ab2093027': {
    matching: { target: '/index.php~' },
    passing: { target: '/~index/php' },
  },
  a306dc33743df713d0d366c98b652bfa: {
    matching: { target: '/?f=.ssh/id_rsa' },
    passing: { target: '/?q=where+is+.ssh/id_rsa' },
  },
  '7fd713acf931e6da3515530496db544c': {
    matching: { target: '/?src=http://192.0.2.75/crash.php' },
    passing: { target: '/?src=http://www.example.com/a.php' },
  },
  '02583ece387a3a893f2cdbcafe74691b': {
    matching: { target: '/?PHPSESSID=1234abcd' },
    passing: { target: '/?session_name=1' },
  },
  '743cf1d7e643ac040168a6815c71fd05': {
    matching: { target: `/?a=document.cookie="sid=1"` },
    passing: { target: '/?q=document.cookie+is+empty' },
  },
}
