// OWASP Common Exceptions: some sites skip inspection for certain requests, such as those of the server to itself.
// These rules detect outside clients that imitate such requests.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, owaspGroup, pattern } from './rule-draft.ts'
import { LOWER, PATH, TEXT } from './views.ts'

export const COMMON_EXCEPTIONS = owaspGroup(
  { id: OWASP_GROUP_IDS.commonExceptions, tags: ['claimed-exception'] },
  [
    {
      ids: ['1901401', 'a2abc4fbc452ed772644bfe366348f77', 'a41b48e6a3d5a0177bd93c7f9102d6ee'],
      description: 'Claims to be the server that asks itself',
      weight: { level: 1, score: 3 },
      detection: pattern(['user-agent'], LOWER)`\(internal dummy connection\)`,
    },
    {
      ids: ['1901402', 'c5c14a4247ec80658f4af684f454d7e6', 'cb92c9b2fc69cbb7b33d8557d2efff1a'],
      description: 'Claims to come from the server itself',
      weight: { level: 2, score: 3 },
      detection: pattern(
        [
          'header:x-forwarded-for',
          'header:x-real-ip',
          'header:client-ip',
          'header:true-client-ip',
          'header:x-client-ip',
          'header:x-originating-ip',
          'header:x-remote-ip',
          'header:x-remote-addr',
          'header:forwarded',
        ],
        LOWER,
      )`
      ^(?:for=)?["']?\[?(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|localhost|0\.0\.0\.0)\b
    `,
    },
    {
      ids: ['1901403', '5bc1e4f5165eb756a3113e4a143ee07c', 'e276480900373fc7124fc39a2c8d8c4e'],
      description: 'Claims to be a health check, with arguments',
      weight: { level: 2, score: 3 },
      detection: every(
        check(['user-agent'], LOWER)`
        ^(?:elb-healthchecker|googlehc|kube-probe|haproxy|nagios|check_http|pingdom|uptimerobot)
      `,
        check(['query'], TEXT)`[<>'"(;]|\.\./`,
      ),
    },
    {
      ids: ['1901404', '3341a7e6562dd06773abdd93085417de', '2dfc09befd7937926a0da8dfb2c15fd8'],
      description: 'Claims to ask for an image or a style, with an attack in the query',
      weight: { level: 2, score: 3 },
      detection: every(
        check(PATH, LOWER)`\.(?:css|js|png|jpe?g|gif|ico|svg|woff2?|ttf)$`,
        check(['query'], TEXT)`<[a-z/]|union.{1,10}select|\.\./|\$\{|' ?or[ ]`,
      ),
    },
    {
      ids: ['1901405', '85d5f63f86c921e05cbc4fc5d4b968b8', 'c7f44ab78b93a4bed41336841b0e9874'],
      description: 'Claims that a script of the page asks, and sends a form with markup',
      weight: { level: 3, score: 2 },
      detection: every(
        check(['header:x-requested-with'], LOWER)`^xmlhttprequest$`,
        check(['args'], TEXT)`<(?:script|iframe|object)`,
      ),
    },
  ],
)
