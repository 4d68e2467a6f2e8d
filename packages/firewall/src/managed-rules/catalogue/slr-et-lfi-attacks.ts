// OWASP Slr Et Lfi Attacks: file parameters that name other files than they should.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { UPWARDS, SYSTEM_FILE, FILES } from './known-parameters.ts'
import { owaspGroup, pattern } from './rule-draft.ts'
import { FILE_PATH } from './views.ts'

export const SLR_ET_LFI_ATTACKS = owaspGroup({ id: OWASP_GROUP_IDS.slrEtLfiAttacks, tags: [] }, [
  {
    ids: ['1900611', 'c119e516674f031236a43ca36d238eae', 'dd709e1106c2970473f557f03f9bfac0'],
    description: 'Known parameter - A file name that steps upwards',
    weight: { level: 1, score: 5 },
    tags: ['file-inclusion'],
    detection: pattern(FILES, FILE_PATH)`${UPWARDS}`,
  },
  {
    ids: ['1900612', '98544c114a6d335b61981d426a192308', '978d9b80c44641119f4669ab9323bbca'],
    description: 'Known parameter - A file of the system',
    weight: { level: 1, score: 5 },
    tags: ['file-inclusion'],
    detection: pattern(FILES, FILE_PATH)`
      ${SYSTEM_FILE}
      ^(?:/var/(?:log|www)/|/root/|/home/[^/]+/\.|/usr/local/|[a-z]:/(?:windows|inetpub|xampp)/)
    `,
  },
  {
    ids: ['1900613', '6275a2fb88be4aa6a12e28995c63d2a3', '5cf20329920d8e1fa1e4a4f57273298d'],
    description: 'Known parameter - A null octet that cuts a file name',
    weight: { level: 1, score: 5 },
    tags: ['file-inclusion'],
    detection: pattern(FILES, ['url-decode', 'url-decode'])`\x00`,
  },
  {
    ids: ['1900614', '6f8042c149f9f25f765f1f7716181a27', 'b0280316e1e947d56a133afce6baa27f'],
    description: 'Known parameter - A file with the settings or the code of an application',
    weight: { level: 1, score: 4 },
    tags: ['file-inclusion'],
    detection: pattern(FILES, FILE_PATH)`
      (?:^|/)(?:wp-config\.php|configuration\.php|config\.inc\.php|settings\.php|localsettings\.php|web\.config|\.env|\.htaccess|\.htpasswd|\.git/|id_rsa|web-inf/web\.xml|application\.(?:yml|properties))
    `,
  },
  {
    ids: ['1900615', '0af349e959f8393ee079c5bd33a13d67', '5dee285cc6b336a511666a601f2adeb7'],
    description: 'Known parameter - Input of a PHP stream as a file',
    weight: { level: 1, score: 5 },
    tags: ['file-inclusion', 'php'],
    detection: pattern(FILES, FILE_PATH)`
      ^(?:php|zip|phar|expect|glob|compress\.(?:zlib|bzip2)|file|zlib|rar|ogg):/
      ^data:/?text/
    `,
  },
])
