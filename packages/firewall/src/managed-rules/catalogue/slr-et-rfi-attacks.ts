// OWASP Slr Et RFI Attacks: file parameters that name files of another site.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { owaspGroup, pattern } from './rule-draft.ts'
import { FILE_PATH } from './views.ts'

export const SLR_ET_RFI_ATTACKS = owaspGroup({ id: OWASP_GROUP_IDS.slrEtRfiAttacks, tags: [] }, [
  {
    ids: ['1900631', '4399d75cfaa607cbe54f656e8d80d366', 'b536a88f80d60066ec08ce0c815627c8'],
    description: 'Known parameter - A file of another site',
    weight: { level: 1, score: 5 },
    tags: ['rfi'],
    detection: pattern(
      [
        'arg:page',
        'arg:file',
        'arg:include',
        'arg:inc',
        'arg:path',
        'arg:template',
        'arg:tpl',
        'arg:module',
        'arg:lang',
        'arg:dir',
        'arg:root',
        'arg:base_path',
        'arg:basepath',
        'arg:config',
        'arg:content',
        'arg:load',
        'arg:controller',
        'arg:skin',
        'arg:theme',
      ],
      FILE_PATH,
    )`
      ^(?:https?|ftps?|gopher|dict|smb):/[^/]+/.{0,200}(?:\.(?:txt|php\d?|gif|jpe?g|png|inc|dat|bin|html?)\b|\?|%00|$)
    `,
  },
  {
    ids: ['1900632', '3657fc5594739f96422edf1b2c748886', 'c20be299cf5829bc2bbc93348e7ca824'],
    description: 'Known parameter - A path of an application from another site',
    weight: { level: 1, score: 5 },
    tags: ['rfi'],
    detection: pattern(
      [
        'arg:abspath',
        'arg:absolutepath',
        'arg:rootpath',
        'arg:root_path',
        'arg:basedir',
        'arg:base_dir',
        'arg:docroot',
        'arg:document_root',
        'arg:_server[document_root]',
        'arg:globals[mosconfig_absolute_path]',
        'arg:includedir',
        'arg:include_path',
        'arg:libpath',
        'arg:classpath',
        'arg:gallery_basedir',
        'arg:sourcedir',
        'arg:settings[locale]',
        'arg:cfg[path]',
        'arg:config[path]',
        'arg:main_path',
      ],
      FILE_PATH,
    )`
      ^(?:https?|ftps?|php|data|expect):
    `,
  },
  {
    ids: ['1900633', 'e3002972ddd35fff9d45b062bb7d8dca', '2381f33ea9e58791e95878ac98ec6a82'],
    description: 'Any parameter - A script of another site, given by its address',
    weight: { level: 2, score: 3 },
    tags: ['rfi'],
    detection: pattern(['args'], FILE_PATH)`
      ^(?:https?|ftp):/\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?/.{0,200}\.(?:txt|php\d?|jsp|asp|sh|py|pl|gif)\b
    `,
  },
  {
    ids: ['1900634', '39ec0c7142ed73e15f6af944548f169f', 'a9bd4b63b3a6109338b5de8888df00be'],
    description: 'Any parameter - Address of a file that ends with a question mark',
    weight: { level: 2, score: 3 },
    tags: ['rfi'],
    detection: pattern(['args'], FILE_PATH)`^(?:https?|ftp)://?[^?]{4,200}\?{1,3}$`,
  },
])
