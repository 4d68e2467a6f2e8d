// OWASP Uri SQL Injection Attacks: the same signs in the request target, which contains no user text.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { owaspGroup, pattern } from './rule-draft.ts'
import { URI, URI_SQL } from './views.ts'

export const URI_SQL_INJECTION_ATTACKS = owaspGroup(
  { id: OWASP_GROUP_IDS.uriSqlInjectionAttacks, tags: ['sqli'] },
  [
    {
      ids: ['1900201', 'd21d1434925f31ec20f30147d6d44f1f', 'd3c5a13ca7c61ba4e57693c5dd41a7f7'],
      description: 'SQL in the URI - A second query',
      weight: { level: 1, score: 5 },
      detection: pattern(URI, URI_SQL)`\bunion(?: all| distinct)?[ (]+select\b`,
    },
    {
      ids: ['1900202', 'ced418db4e00ed746319ea33ddc0e5bf', '56d95fac04ce9b0865d68fb690031267'],
      description: 'SQL in the URI - A condition that is always true',
      weight: { level: 1, score: 5 },
      detection: pattern(URI, URI_SQL)`
      ['"\d)][ )]*(?:\b(?:or|and|xor|not)\b|\|\||&&)[ (!~-]*(?:'[^'&]{0,30}'?|"[^"&]{0,30}"?|\d+|true|false)[ )]*(?:=|<|>|like|is)[ (]*['"\da-z]
    `,
    },
    {
      ids: ['1900203', '4839c04fcdab445ec025cddb6e270efa', 'bb23c964f5175b7c0c03624f9363210a'],
      description: 'SQL in the URI - Names of tables about tables',
      weight: { level: 1, score: 5 },
      detection: pattern(URI, URI_SQL)`
      \b(?:information_schema|sysobjects|pg_catalog|sqlite_(?:master|schema)|all_tables|mysql\.user|sys\.(?:tables|databases))\b
    `,
    },
    {
      ids: ['1900204', '3de3d4e432d7bc5c16df518f5947002f', '1a20c83273fdc55370a064c8899d0bd6'],
      description: 'SQL in the URI - Function that makes the server wait',
      weight: { level: 1, score: 5 },
      detection: pattern(URI, URI_SQL)`
      \b(?:sleep|pg_sleep|benchmark) ?\( ?\d
      \bwaitfor +delay\b
      \bdbms_pipe\b
    `,
    },
    {
      ids: ['1900205', '1439d3df12165e0d53096881a43e8e9d', 'a1d5917fb619ab35760079b348a52d3d'],
      description: 'SQL in the URI - A second statement',
      weight: { level: 1, score: 5 },
      detection: pattern(URI, URI_SQL)`
      ['"\d)][ )]*; ?(?:select|insert|update|delete|drop|alter|exec|declare|create|truncate|shutdown|waitfor)\b
    `,
    },
    {
      ids: ['1900206', '8c866ed4a7e8d99d9fd37c5d1ae68903', '678ba72a2538ac1d54a675998c35c7d4'],
      description: 'SQL in the URI - A whole query',
      weight: { level: 1, score: 5 },
      detection: pattern(URI, URI_SQL)`\bselect\b.{1,120}?\bfrom\b`,
    },
    {
      ids: ['1900207', '6a2691d1618fc62a45741eac02b4d777', '289a1962b8154a2eef90449826411dc5'],
      description: 'SQL in the URI - Functions that take texts apart',
      weight: { level: 1, score: 4 },
      detection: pattern(URI, URI_SQL)`
      \b(?:concat|group_concat|char|ascii|substr|substring|mid|hex|unhex|extractvalue|updatexml|load_file|cast|convert|chr|ord) ?\(.{0,60}[,@)]
    `,
    },
    {
      ids: ['1900208', 'b07df136707f865e35a50dfcb5ae7da4', '218ec214d779b988457bc1889741422e'],
      description: 'SQL in the URI - Quote, then a comment or a bracket',
      weight: { level: 1, score: 4 },
      detection: pattern(URI, URI_SQL)`
      '[ )]*(?:--|#|;|/\*)
      '[ ]*\)+[ ]*(?:or|and|union|--|#)
      =-?\d+[ )]*--[ -]?(?:&|$)
    `,
    },
    {
      ids: ['1900209', 'a6c3e8aef7be81ae20c35efc837efc7a', '1a6b13ac8d794722431397995b2d78cf'],
      description: 'SQL in the URI - Columns counted with ORDER BY',
      weight: { level: 1, score: 4 },
      detection: pattern(URI, URI_SQL)`
      ['"\d)][ )]+order by +\d+
      ['"\d)][ )]+group by +[a-z_]+ +having\b
    `,
    },
    {
      ids: ['1900210', '68e7b6e988fba60779a69161ede1d582', 'dbd1d3c33f9ad616daf0bd3a62ee2c13'],
      description: 'SQL in the URI - Number, quote, number',
      weight: { level: 2, score: 3 },
      detection: pattern(URI, URI_SQL)`=-?\d+['"]`,
    },
  ],
)
