// OWASP SQL Injection Attacks: input that is a fragment of SQL.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { owaspGroup, pattern } from './rule-draft.ts'
import { AS_SENT, INPUT, LOWER, SQL, TEXT } from './views.ts'

export const SQL_INJECTION_ATTACKS = owaspGroup({ id: OWASP_GROUP_IDS.sqlInjectionAttacks, tags: ['sqli'] }, [
  {
    ids: ['1900101', 'a572c652ce304d275b714296fde117f8', 'a9a32b816c4ab5a1a8a27f34637d5713'],
    description: 'SQL - A second query joined with UNION',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`\bunion(?: all| distinct)?[ (]+select\b`,
  },
  {
    ids: ['1900102', '7eb368fda5663eeff601486cb021987e', '8ec8487e88152f86fd98e475004df935'],
    description: 'SQL - Quote, then a condition',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      ['"][ )]*(?:\b(?:or|and|xor|having)\b|\|\||&&)[ (!~+-]*['"]?[a-z0-9_@.]{1,30}['")]{0,3} ?(?:=|<|>|like\b|is\b|in ?\(|between\b|rlike\b|regexp\b)
    `,
  },
  {
    ids: ['1900103', '428d3751feac0f6222a0e3f97e3b61c2', '0ac5c7cef35c3ef4a607c2c7e3dfdea2'],
    description: 'SQL - Comparison of two numbers, always or never true',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      \b(?:or|and|xor|having|where|not)\b[ (!]*\d+[ )]*(?:=|<>|!=|>|<|like|rlike)[ (]*\d+
    `,
  },
  {
    ids: ['1900104', '2a8eb2792323af3b865da5440161f8b5', '281edf61b7ecff666547f83fa690a0db'],
    description: 'SQL - Comparison of two quoted texts',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      (?:\b(?:or|and|xor)\b|\|\||&&)[ (!]*(?:'[^']{0,40}'? ?(?:=|<|>|!=|like) ?'|"[^"]{0,40}"? ?(?:=|<|>|!=|like) ?")
    `,
  },
  {
    ids: ['1900105', 'bbce7c5492220bfc4e687c694818e5e7', '5f82f3ecd016b80164b636946504d80a'],
    description: 'SQL - Function that makes the server wait',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      \b(?:sleep|pg_sleep(?:_for|_until)?|randomblob|generate_series) ?\( ?['"]?[\d.]+
      \bbenchmark ?\( ?\d+ ?,
      \bwaitfor +(?:delay|time) ?['"(@]
      \bdbms_(?:lock\.sleep|pipe\.receive_message|session\.sleep)\b
    `,
  },
  {
    ids: ['1900106', 'f5b04fd3eba36cfd629d39699e2ed7b0', 'a137c19fcf4663499ed734a473792ba9'],
    description: 'SQL - A second statement after a semicolon',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      ['"\d)][ )]*; ?(?:select|insert +into|update|delete +from|drop|create|alter|truncate|exec(?:ute)?|declare|shutdown|waitfor|grant|call|merge|copy|vacuum|attach)\b
    `,
  },
  {
    ids: ['1900107', '7ec0027a2c7e73f03c2e513681f4bff2', 'a0a2c801a16c105ff94f9826e3ffe53d'],
    description: 'SQL - Quote, then a comment that hides the rest',
    weight: { level: 1, score: 4 },
    detection: pattern(INPUT, TEXT)`
      '[ )\d]*(?:--[ +]?|#|/\*|;%00)[^a-z]{0,6}$
      ^[a-z0-9_@.-]{0,24}'[ )]*(?:--|#|/\*)
    `,
  },
  {
    ids: ['1900108', '86b7f99883411f88d4895c62cfd48f9f', '035e420e2f20500e42070706fa7e25ad'],
    description: 'SQL - Names of tables about tables',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      \b(?:information_schema\b|sysobjects\b|syscolumns\b|sysdatabases\b|pg_catalog\b|pg_(?:tables|shadow|user|database)\b|sqlite_(?:master|schema|temp_master)\b|all_tab(?:les|_columns)\b|user_tab_columns\b|mysql\.(?:user|db|innodb_)|msysobjects\b|master\.\.|sys\.(?:tables|columns|databases|schemas|sql_logins|objects)\b|rdb\$)
    `,
  },
  {
    ids: ['1900109', '039797172f5d40f4b244063fb804f4c2', '4e0df418c4b095464294eb255ccc0f79'],
    description: 'SQL - Function or variable that tells about the server',
    weight: { level: 1, score: 4 },
    detection: pattern(INPUT, SQL)`
      @@(?:version|datadir|hostname|basedir|global|servername|tmpdir)
      (?:select|and|or|,|\(|=|union|concat)[ (]*(?:version|user|current_user|database|schema|system_user|session_user|last_insert_id|connection_id|db_name|user_name|host_name) ?\( ?\d* ?\)
    `,
  },
  {
    ids: ['1900110', 'c427bd7d9519bb8d5525855e33ce13aa', 'b8db68222038a5b4a28512382752b5d3'],
    description: 'SQL - Functions that take texts apart around another query or a code',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      \b(?:concat|concat_ws|group_concat|string_agg|char|chr|nchar|ascii|ord|substr|substring|mid|hex|unhex|extractvalue|updatexml|xmltype|make_set|elt|conv|cast|convert|ifnull|coalesce|nullif|lpad|exp|floor|rand|strcmp|bin) ?\(.{0,80}(?:\bselect\b|\b0x[0-9a-f]{2,}|\buser ?\(|\bversion ?\(|\bdatabase ?\(|@@|\bchar ?\()
      \bcha?r ?\( ?\d{2,3} ?\)(?: ?(?:\+|\|\||,) ?cha?r ?\( ?\d{2,3} ?\))
    `,
  },
  {
    ids: ['1900111', '33bbadf3daae4316d31bc0b4b56c1a23', 'ba6ad573e61c43247168bb071656cbfb'],
    description: 'SQL - Files read or written by the server',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      \binto +(?:outfile|dumpfile) ?['"0]
      \bload_file ?\(
      \bload +data +(?:local +)?infile\b
      \b(?:pg_read_file|pg_ls_dir|lo_import|lo_export|utl_file\.)
      \bbulk +insert\b.{1,80}\bfrom +['"]
    `,
  },
  {
    ids: ['1900112', 'eac1ec8b4f6efcfdffef3f1753cbc070', 'c4c6205b1437248507c0f3e0e10b043a'],
    description: 'SQL - Columns counted with ORDER BY or GROUP BY',
    weight: { level: 1, score: 4 },
    detection: pattern(INPUT, SQL)`
      (?:['")]|^-?\d+)[ )]+(?:order|group) +by +(?:\d+|[a-z_]+ ?(?:--|#))
      ['")\d][ )]+having +['"\d]
    `,
  },
  {
    ids: ['1900113', '8272bdcec323bc7bad0b2b62a934e5ed', '9839be3a3f3bbeaee4d38b2a81876680'],
    description: 'SQL - A query in brackets',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      \( ?select\b[ (]+(?:[^)]{1,200}?\bfrom\b|case\b|\d|@@|char|concat|count|sleep|user|version|database|null|0x|')
    `,
  },
  {
    ids: ['1900114', '4e7f7af29c3bf39333d8060b23014751', 'fc6962571ec3aefb7e2b3548a442ed63'],
    description: 'SQL - Condition over a query or a function, answered bit by bit',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      \b(?:and|or|xor|not|rlike|regexp|when|where|having)\b[ (!~-]+(?:select|exists|ascii|substr|substring|mid|length|ord|char|database|version|sleep|benchmark|pg_sleep|elt|strcmp|make_set|row|iif|updatexml|extractvalue|json_keys|gtid_subset)\(
    `,
  },
  {
    ids: ['1900115', '1180203ea6db8ddd430b5eb96c3394fe', '6ddbb17ca4d47f2621302abc8b0c852b'],
    description: 'SQL - Procedures of servers that reach the system',
    weight: { level: 1, score: 5 },
    tags: ['sqli', 'rce'],
    detection: pattern(INPUT, SQL)`
      \b(?:xp_(?:cmdshell|dirtree|regread|fileexist|subdirs)|sp_(?:executesql|oacreate|configure|addextendedproc|password)|utl_(?:http|inaddr|smtp)\b|dbms_(?:java|xmlgen|ldap|scheduler)\b|openrowset ?\(|opendatasource ?\(|sys_(?:exec|eval) ?\()
    `,
  },
  {
    ids: ['1900116', '0e6893491bfb9f4bdee09009607410b4', '109a95384758fb827562313a1e8b67e7'],
    description: 'SQL - Quote, then a clause',
    weight: { level: 1, score: 4 },
    detection: pattern(INPUT, SQL)`
      '[ )]+(?:union\b|having\b|group by\b|order by\b|limit +\d|procedure +analyse|rlike\b|regexp\b|into +(?:out|dump)|offset +\d|returning\b|collate\b|div +\d|mod +\d)
    `,
  },
  {
    ids: ['1900117', 'a696287489f67e8834e01833421cfeb7', 'ded8433c4081eb5be96f5ab372afe13a'],
    description: 'SQL - Version comment, or words parted by comments',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, TEXT)`
      /\*!\d{5}
      \b(?:union|select|from|where|or|and|order|insert|sleep|into)/\*.{0,40}?\*/
      /\*.{0,40}?\*/(?:union|select|from|where|or|and|order|insert|sleep|into)\b
    `,
  },
  {
    ids: ['1900118', '926dbb3af904f71ffd2646cb55dbdfdb', 'beb1cfff5d51e8fd0543f2362598b729'],
    description: 'SQL - Log-in name that ends the query',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, SQL)`
      ^(?:[a-z0-9_.@-]{0,32})['"][ )]*(?:\|\||(?:or|and|xor)[ (]*(?:true|1|not|'|"|\d+ ?(?:=|<|>))|;|=|like ['"])
    `,
  },
  {
    ids: ['1900119', '8cfc7e5a298baced85c95b936269aa09', '3d49f0c63a71cc8a7b86a71e00666446'],
    description: 'SQL - A whole query',
    weight: { level: 2, score: 4 },
    detection: pattern(INPUT, SQL)`\bselect\b.{1,200}?\bfrom +[a-z_\x60\["(.]+`,
  },
  {
    ids: ['1900120', '2ab30e630c17baa7ef0c86c3776f6636', '901f207ec4c703cada15b37f05d67352'],
    description: 'SQL - A whole statement that changes rows or tables',
    weight: { level: 2, score: 4 },
    detection: pattern(INPUT, SQL)`
      \binsert +into +[a-z_.\x60"\[\]]+ ?(?:\(|values|select)
      \bupdate +[a-z_.\x60"\[\]]+ +set +[a-z_.\x60"]+ ?=
      \bdelete +from +[a-z_.\x60"]+(?: +where| ?;| ?$)
      \b(?:drop|alter|truncate|create) +(?:table|database|schema|view|user|function|trigger)\b
    `,
  },
  {
    ids: ['1900121', '2b6e922d0dab339f6600a4e5929f923d', '290baef2ec649e663372affd09c76d81'],
    description: 'SQL - Choice between two values',
    weight: { level: 2, score: 4 },
    detection: pattern(INPUT, SQL)`
      \bcase\b.{0,80}\bwhen\b.{1,80}\bthen\b.{1,80}(?:\belse\b|\bend\b)
      \bii?f ?\([^,]{1,80}(?:=|<|>|like)[^,]{0,80},[^,]{1,80},
    `,
  },
  {
    ids: ['1900122', '061eebec358014ef1bd608be6e53ba18', '9b1351a0632433693ff6381436685707'],
    description: 'SQL - Text in hexadecimal',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, SQL)`(?:=|,|\(|select|like) ?0x[0-9a-f]{8,}`,
  },
  {
    ids: ['1900123', 'ddea1d9162e58f4e7978f204bbb446dd', '2ae45d26259d38f23e4d8b4077b0510b'],
    description: 'SQL - Quoted texts joined',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, SQL)`'[ )]*(?:\|\||\+)[ (]*(?:'|\(|chr|char|select|version|@@|\d)`,
  },
  {
    ids: ['1900124', 'b12673352d61a1ee69118bb515f66454', '2f5d8ae2f7c99c2b85d30c60e5b5521c'],
    description: 'SQL - Quote, then a comparison of patterns',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, SQL)`
      ['"\d][ )]+(?:not +)?(?:like|rlike|regexp|glob|between|sounds like|similar to) +['"(%b\d]
    `,
  },
  {
    ids: ['1900125', '6a9a25b6bc856738218f88e0cd96f69c', 'e7bb465aa407a77d197300c03afee00d'],
    description: 'SQL - Functions and operators on documents in columns',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, SQL)`
      '[ )]*(?:->>?|@>|<@|#>>?|\?\|) ?['"{\d]
      \bjson(?:b)?_(?:extract|keys|array_length|contains|depth|object_keys|build_object) ?\(
    `,
  },
  {
    ids: ['1900126', '662ee2da1e9b9d0ef699f8ba881ada4a', '8ccfd64d2ec56e399fae2ab9b437561e'],
    description: 'SQL - Quote encoded twice or in a longer form than needed',
    weight: { level: 2, score: 3 },
    detection: pattern(['uri', 'cookies'], LOWER)`
      %25(?:27|22|60)
      %u(?:0027|02b9|02bc|2032|ff07)
      %(?:c0%a7|ef%bc%87)
    `,
  },
  {
    ids: ['1900127', '132fb7a5037c1134ccbba876792c32fb', '3772721751148dc68b689fcb9e88e83f'],
    description: 'SQL - Number, then words of a condition',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, SQL)`
      ^-?\d+[ )'"]+(?:and|or|xor|union|having|order by|group by|limit|procedure|where)\b
    `,
  },
  {
    ids: ['1900128', '80a0b3fe9297e6aa73401678d7df7b53', '31fdc7df1a20f2d8df996169e31e57c5'],
    description: 'SQL - Number, then a comment that hides the rest',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, TEXT)`^-?\d+[ )]*(?:--[ +-]?|#|/\*|;)$`,
  },
  {
    ids: ['1900129', '591c8ce69b88f0f5f7d0d65ef43468cc', '12ed45a7260df91e28ff2144db92054d'],
    description: 'SQL - Many quotes and semicolons in one value',
    weight: { level: 3, score: 3 },
    detection: pattern(['args', 'cookies'], SQL)`(?:['"\x60;][^'"\x60;]*){8}`,
  },
  {
    ids: ['1900130', 'ed2ffd2edcfa829b3cd0ad4de8fe816d', '27445256ce05325b3293f3a218d7412e'],
    description: 'SQL - Single quote at either end of a value',
    weight: { level: 3, score: 2 },
    detection: pattern(['args', 'cookies'], TEXT)`
      ^'
      '$
    `,
  },
  {
    ids: ['1900131', 'f6ac4329c23a0a09826bd2ee678783c4', 'ddae7a184b7b27812dbac391e9d0fbc5'],
    description: 'SQL - Quotes in a cookie',
    weight: { level: 4, score: 2 },
    detection: pattern(['cookies'], AS_SENT)`['\x60;]`,
  },
  {
    ids: ['1900132', 'e0dad96ad53dcaa0e20aeb9cbba6d67b', 'fcb2758bd2d273e7bece24fc40257225'],
    description: 'SQL - Several quotes and semicolons in one value',
    weight: { level: 4, score: 2 },
    detection: pattern(['args', 'arg-names'], TEXT)`(?:['"\x60;][^'"\x60;]*){3}`,
  },
])
