// OWASP Slr Et SQLi Attacks: parameters for a number or a name that contain SQL.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import type { RequestPart } from '../request-parts.ts'
import { check, every, owaspGroup, pattern } from './rule-draft.ts'
import { FILE_PATH, LOWER, PATH, SQL } from './views.ts'

const NUMBERS: readonly RequestPart[] = [
  'arg:id',
  'arg:pid',
  'arg:cid',
  'arg:uid',
  'arg:catid',
  'arg:itemid',
  'arg:page_id',
  'arg:article_id',
  'arg:product_id',
  'arg:user_id',
  'arg:cat',
  'arg:item',
  'arg:news_id',
]
const NAMES: readonly RequestPart[] = [
  'arg:user',
  'arg:username',
  'arg:login',
  'arg:email',
  'arg:uname',
  'arg:passwd',
  'arg:password',
  'arg:pass',
]
const ORDERS: readonly RequestPart[] = [
  'arg:sort',
  'arg:order',
  'arg:orderby',
  'arg:sortby',
  'arg:dir',
  'arg:column',
  'arg:limit',
  'arg:filter_order',
  'arg:order[0][dir]',
]

export const SLR_ET_SQLI_ATTACKS = owaspGroup(
  { id: OWASP_GROUP_IDS.slrEtSqliAttacks, tags: ['sqli', 'known-parameter'] },
  [
    {
      ids: ['1900301', '1bca05c62b4932053670d66bc93b7c2a', '4f90fdb3dfa66866382e73fc4e646333'],
      description: 'Known parameter - A number that goes on as a query',
      weight: { level: 1, score: 5 },
      detection: pattern(NUMBERS, SQL)`
      ^[-+]?[\d.]*['")]*[ (]*(?:union|select|and|or|xor|having|order by|group by|procedure|limit|div|mod|rlike|;|\|\||&&)\b?[ ('"\d]
    `,
    },
    {
      ids: ['1900302', '996d580142160b8276688e9fe6bd47f6', 'c0b3bf525e7404878629a48b1cb89cfd'],
      description: 'Known parameter - A number, then a quote',
      weight: { level: 2, score: 4 },
      detection: pattern(NUMBERS, SQL)`^[-+]?\d+[ )]*['"\x60\\]`,
    },
    {
      ids: ['1900303', '2904aa1eb51834dce017a9bd26656e1e', '1701d043ec744c0556f16d11fa6b416c'],
      description: 'Known parameter - A name that goes on as a condition',
      weight: { level: 1, score: 5 },
      detection: pattern(NAMES, SQL)`
      ['"][ )]*(?:\|\||&&|(?:or|and|xor|union|having|like|=)\b?)[ ('"\d]
      ['"][ )]*(?:--|#|/\*)
    `,
    },
    {
      ids: ['1900304', '2a344118211224ce5a709912fec4459b', '53805d743af98e2259842d9d9eb85fa8'],
      description: 'Known parameter - An order that is a query or a function',
      weight: { level: 1, score: 5 },
      detection: pattern(ORDERS, SQL)`
      (?:\bselect\b|\bsleep ?\(|\bcase +when\b|\bif ?\(|\bprocedure\b|\bextractvalue\b|\bupdatexml\b|\brand ?\(|;|--|\(.{0,40}[=<>])
    `,
    },
    {
      ids: ['1900305', 'f71e33f3ffc3d2702325df3da3fa7d34', '7620b40b0bbcb72fae26c8eb28f5ab67'],
      description: 'Known parameter - SQL in the number of a page that lists things',
      weight: { level: 1, score: 5 },
      detection: every(
        check(PATH, FILE_PATH)`
        /(?:view|show|detail|details|news|article|product|products|category|gallery|item|index|page|print|download)\.(?:php|asp|aspx|jsp|cfm)$
      `,
        check(['args'], SQL)`^[-+]?\d+['")]*[ ]+(?:and|or|union|order|group|having|procedure)\b`,
      ),
    },
    {
      ids: ['1900306', 'bbce65a1b267a3b224be82fa7e926499', '28a98c0c5332ef7a9abd1151aad86c3e'],
      description: 'Known parameter - SQL in the address of the client as headers claim it',
      weight: { level: 1, score: 5 },
      detection: pattern(
        [
          'header:x-forwarded-for',
          'header:client-ip',
          'header:x-real-ip',
          'header:true-client-ip',
          'header:x-client-ip',
        ],
        LOWER,
      )`
      ['"]
      \b(?:select|sleep|union|waitfor|benchmark)\b
    `,
    },
  ],
)
