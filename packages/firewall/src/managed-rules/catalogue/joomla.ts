// Cloudflare Joomla: attacks on Joomla and its extensions.
import { CLOUDFLARE_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, pattern, traditionalGroup } from './rule-draft.ts'
import { FILE_PATH, LOWER, PATH, SQL, TEXT, URI } from './views.ts'

export const JOOMLA = traditionalGroup(CLOUDFLARE_GROUP_IDS.joomla, [
  {
    ids: ['190401', '9bd374d1f08840f252e5a6107f050c57', '9d20c86dc7af7940757ad468f65a6a02'],
    description: 'Joomla - Object in a header that is kept with the session - CVE-2015-8562',
    tags: ['joomla', 'deserialization', 'rce', 'cve-2015-8562'],
    mode: 'block',
    detection: pattern(['user-agent', 'header:x-forwarded-for', 'referer'], ['url-decode', 'remove-nulls'])`
      [}|_][a-zA-Z_]{0,20}\|?O:\d+:"
      JDatabaseDriverMysqli|JSimplepieFactory
    `,
  },
  {
    ids: ['190402', '190bbe361dcb105b75fe2065ae565401', '7aff745de738630219f1396fcc872dd8'],
    description: 'Joomla - SQL in the order of a list - CVE-2017-8917, CVE-2015-7297',
    tags: ['joomla', 'sqli', 'cve-2017-8917', 'cve-2015-7297'],
    mode: 'block',
    detection: every(
      check(['arg:option'], LOWER)`^com_`,
      check(
        [
          'arg:list[fullordering]',
          'arg:list[select]',
          'arg:list[ordering]',
          'arg:filter_order',
          'arg:filter_order_dir',
          'arg:item_id',
          'arg:catid',
          'arg:cid[]',
        ],
        SQL,
      )`
        \b(?:select|updatexml|extractvalue|sleep|benchmark|concat|union)\b ?[( ]
      `,
    ),
  },
  {
    ids: ['190403', 'faae7044bb4cafe8716045e4a463996f', '33f5edacaf5f7b043f9c53e656d8aed0'],
    description: 'Joomla - Groups or activation set while registering - CVE-2016-8869, CVE-2016-8870',
    tags: ['joomla', 'broken-access-control', 'cve-2016-8869', 'cve-2016-8870'],
    mode: 'block',
    detection: pattern(['arg-names'], LOWER)`
      ^(?:user|jform)\[groups\]
      ^user\[(?:activation|block|id)\]
    `,
  },
  {
    ids: ['190404', 'ebc389134cd31e97dbd57fcb4c540bcf', 'e3f5775129716cce902293cbd2d44950'],
    description: 'Joomla - Configuration shown over the API - CVE-2023-23752',
    tags: ['joomla', 'information-disclosure', 'cve-2023-23752'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`/api/index\.php/v1/(?:config/application|users)`,
      check(['arg:public'], LOWER)`^true$`,
    ),
  },
  {
    ids: ['190405', '6e8c1a5821c2e26c877a6275206af6ea', 'd097e24975d4791caae4b554110e3337'],
    description: 'Joomla - Upload of code through a component',
    tags: ['joomla', 'file-upload', 'rce'],
    mode: 'block',
    detection: every(
      check(URI, FILE_PATH)`
        option=com_
        /components/com_
        /images/stories/
      `,
      check(['filenames'], FILE_PATH)`\.(?:php[0-9s]?|phtml|phar|pht|gif\.php)(?:\.|$)`,
    ),
  },
  {
    ids: ['190406', '0aa9f094418479a7467535ddd5833b2c', '22c009de8f330c800b4e725baf176fbb'],
    description: 'Joomla - Steps upwards or a remote file in the parameters of a component',
    tags: ['joomla', 'file-inclusion'],
    mode: 'block',
    detection: every(
      check(['uri'], TEXT)`
        option=com_
        /components/com_
        /modules/mod_
      `,
      check(['args'], FILE_PATH)`
        (?:\.\./){2}
        ^(?:https?|ftp):/.{3,120}\.(?:txt|php|gif)\?
        ^\.\./.{0,80}configuration\.php
      `,
    ),
  },
])
