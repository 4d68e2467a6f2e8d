// OWASP Bad Robots: clients that identify themselves.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, owaspGroup, pattern } from './rule-draft.ts'
import { AS_SENT, LOWER } from './views.ts'

export const BAD_ROBOTS = owaspGroup({ id: OWASP_GROUP_IDS.badRobots, tags: [] }, [
  {
    ids: ['1900001', 'dc9dcde3d7b5ff0a69feeafad6aed0b1', 'bc7e3ecf2f8f1a3ebe586eccf60232da'],
    description: 'User agent of a vulnerability scanner',
    weight: { level: 1, score: 5 },
    tags: ['bad-robot'],
    detection: pattern(['user-agent'], LOWER)`
      \b(?:nikto|nessus|openvas|acunetix|netsparker|w3af|arachni|wapiti|skipfish|appscan|webinspect|qualys|vega|whatweb|jaeles|nuclei|zgrab|jorgee|zmeu|masscan|wpscan|joomscan|droopescan)\b
    `,
  },
  {
    ids: ['1900002', 'd306ddbb0175a331be9d9b5c20f70dba', 'dd61474d619a19ef5cb786e911c94585'],
    description: 'User agent of an exploit tool',
    weight: { level: 1, score: 5 },
    tags: ['bad-robot'],
    detection: pattern(['user-agent'], LOWER)`
      \b(?:sqlmap|sqlninja|havij|bsqlbf|pangolin|absinthe|commix|xsser|dalfox|tplmap|metasploit|hydra|medusa|brutus|dirbuster|gobuster|feroxbuster|ffuf|wfuzz|dirsearch|nosqlmap|ysoserial)\b
    `,
  },
  {
    ids: ['1900003', 'c1f1992e7cb66c379e2eff8268e52d5c', 'b403c41390fdb39973f1818e2e2d070f'],
    description: 'User agent of an address harvester or a comment spammer',
    weight: { level: 1, score: 3 },
    tags: ['bad-robot'],
    detection: pattern(['user-agent'], LOWER)`
      email ?(?:collector|extractor|harvest|siphon|wolf)
      \b(?:xrumer|scrapebox|emailsiphon|webbandit|cherrypicker|extractorpro|copyrightcheck|grub-client)\b
    `,
  },
  {
    ids: ['1900004', '159d20d1b5ab017ed55c142334abdf1e', '92d4df0587d7f81e94ed792d0b1f6bde'],
    description: 'Header that only a scanner sends',
    weight: { level: 1, score: 5 },
    tags: ['bad-robot'],
    detection: pattern(['header-names'], LOWER)`
      ^(?:acunetix-|x-wipp|x-scan-memo|x-ratproxy-loop|x-wvs-|x-burp-|x-netsparker)
    `,
  },
  {
    ids: ['1900005', '567f27fc49fabcb58ab77a7fe25bf16f', 'dcfaf63f723c970b87d5abd4d75fdcae'],
    description: 'Path or argument that a scanner asks for to see how the site answers',
    weight: { level: 1, score: 5 },
    tags: ['bad-robot'],
    detection: pattern(['path', 'args'], LOWER)`
      acunetix_wvs_(?:security|invalid)
      nessus_is_probing
      /nikto-?test
      /appscan_fingerprint
      w00tw00t
      netsparker[0-9a-f]{8}
      \bburpcollaborator\.net\b
      \b(?:oast|interact)\.(?:pro|live|site|online|fun|me|sh)\b
    `,
  },
  {
    ids: ['1900006', 'a8a69d4acfbf8e927e3e5b15e51f1cc8', 'b95026edb08df46745c179f90c2052b9'],
    description: 'User agent of a script library that asks for pages with arguments as a browser would',
    weight: { level: 3, score: 2 },
    tags: ['bad-robot'],
    detection: every(
      check(['user-agent'], LOWER)`
        ^(?:python-(?:requests|urllib|httpx)|libwww-perl|go-http-client|java/|okhttp/|wget/|php/|ruby|lwp::)
      `,
      check(['query'], AS_SENT)`=.`,
    ),
  },
  {
    ids: ['1900007', 'a3d8fb6e2117268336af937f6331b77b', 'decba97dd2edb03bc6cdda2808132ff3'],
    description: 'User agent that carries an attack',
    weight: { level: 1, score: 5 },
    tags: ['bad-robot', 'rce'],
    detection: pattern(['user-agent'], LOWER)`
      \(\) ?\{ ?[:_a-z]
      <\?(?:php|=)
      <script
      \$\{(?:jndi|env|sys|lower|upper|::)
    `,
  },
])
