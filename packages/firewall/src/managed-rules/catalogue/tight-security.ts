// OWASP Tight Security: path traversal in any notation.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { owaspGroup, pattern } from './rule-draft.ts'
import { AS_SENT, FILE_PATH, INPUT, LOWER } from './views.ts'

export const TIGHT_SECURITY = owaspGroup({ id: OWASP_GROUP_IDS.tightSecurity, tags: ['path-traversal'] }, [
  {
    ids: ['1901201', 'faacae9b1f762bca22aa08ee80bd8c7a', 'e96f3a03fdbf7468e06d34c3daa7e939'],
    description: 'Two or more steps upwards in an argument',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT, FILE_PATH)`
      (?:\.\./){2}
      /\.\./[^.]{1,60}/\.\./
    `,
  },
  {
    ids: ['1901202', '65e591860c2dcbebd7b16f4b34882eb9', '3f8114dcffcab12f535d1e03d318d9b9'],
    description: 'Step upwards in the path, encoded',
    weight: { level: 1, score: 5 },
    detection: pattern(['path'], LOWER)`
      (?:%2e|\.|%252e){2}(?:%2f|%5c|%252f|%255c|\\)
      (?:%2e|%252e)(?:\.|%2e|%252e)/
      (?:/|%2f)(?:\.%2e|%2e\.|%2e%2e)
    `,
  },
  {
    ids: ['1901203', '7b387505855ff22b348b34ee0e3400e1', '1535a2d4b9471137891421e822700b35'],
    description: 'Step upwards in the path, plain',
    weight: { level: 1, score: 4 },
    detection: pattern(['path'], FILE_PATH)`/\.\.(?:/|;|$)`,
  },
  {
    ids: ['1901204', '9262884f0bc94bb2c9e707e07834f017', 'ebe620d0e0f2cbacf0aa7d208ba3b6e0'],
    description: 'Step upwards with a form of the slash or the dot that only some servers read',
    weight: { level: 1, score: 5 },
    detection: pattern(['uri', 'cookies'], LOWER)`
      %(?:c0%ae|c0%af|c1%9c|c1%1c|e0%80%af|u2215|u2216|uefc8|uf025)
      \.\.(?:;/|\.{1,4}/{2}|//+\.\./|%01|0x2f|0x5c)
      %%32%65|%%35%63|%uff0e|%ef%bc%8f
    `,
  },
  {
    ids: ['1901205', 'b05813256f87d4cf745245e196faf76a', '998897d7fe01e26f080f8c6976267b42'],
    description: 'One step upwards in an argument',
    weight: { level: 2, score: 4 },
    detection: pattern(INPUT, FILE_PATH)`
      (?:^|[/=:'"])\.\./
      /\.\.$
    `,
  },
  {
    ids: ['1901206', '87c27c61bc78a4dff587bd58e5e3558e', '5f51d42cca1a924fcedc28e417a784bf'],
    description: 'Absolute path of a file on a server in an argument',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, FILE_PATH)`
      ^(?:file:/{1,3})?(?:/(?:etc|var|usr|opt|root|home|proc|srv|boot|dev|tmp)/|[a-z]:/(?:windows|users|inetpub|program files|xampp|wamp))
    `,
  },
  {
    ids: ['1901207', '9e2532680c221ef32dd28d96544c0b2b', '1d7b73689df48d57cee67fc497678d12'],
    description: 'Names of devices and streams of Windows in a path',
    weight: { level: 2, score: 2 },
    detection: pattern(['path'], LOWER)`
      ::\$(?:data|index_allocation)
      /(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.[a-z]{1,4})?$
      ~[1-9](?:\.[a-z]{0,3})?$
    `,
  },
  {
    ids: ['1901208', '9b840593552cbe96ff494bd0d32c2690', '15e14575d5cd33fb949b8419cfacbe7c'],
    description: 'Backslash in the path',
    weight: { level: 3, score: 2 },
    detection: pattern(['path'], AS_SENT)`\\|%5[cC]`,
  },
])
