// Cloudflare Magento: attacks on Magento shops.
import { CLOUDFLARE_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, pattern, traditionalGroup } from './rule-draft.ts'
import { AS_SENT, FILE_PATH, LOWER, PATH, SQL, TEXT } from './views.ts'

export const MAGENTO = traditionalGroup(CLOUDFLARE_GROUP_IDS.magento, [
  {
    ids: ['190501', '999514539691cb9ce83a32e4966a7a59', '08d269d687e8c818364f6dd8594091c9'],
    description: 'Magento - Block forwarded without a log-in, with SQL - CVE-2015-1397',
    tags: ['magento', 'sqli', 'cve-2015-1397'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`/admin(?:html)?/cms_wysiwyg/directive`,
      check(['args', 'arg-names'], LOWER)`forwarded|___directive`,
    ),
  },
  {
    ids: ['190502', '75c6d28f37935f11762ca0c28459268d', '8ba59295a678fdcaca9480f7ad5682a4'],
    description: 'Magento - Range of a filter that is SQL - CVE-2019-7139',
    tags: ['magento', 'sqli', 'cve-2019-7139'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`/catalog/product(?:_frontend_action)?/|/catalogsearch/|/rest/`,
      check(['args'], SQL)`
        ['")\d][ )]+(?:or|and|union)[ (]+(?:select|\(|sleep|\d+ ?=)
        \?[ )]*(?:or|and|union)[ (]+
      `,
    ),
  },
  {
    ids: ['190503', 'a1208c861995de24e3090ce14a1bd847', 'a4b56078e958b14ace7e20b013025453'],
    description: 'Magento - Template that reaches methods - CVE-2022-24086',
    tags: ['magento', 'template-injection', 'rce', 'cve-2022-24086'],
    mode: 'block',
    detection: pattern(['args'], TEXT)`
      \{\{ ?var [^}]{0,60}(?:this\.)?get(?:templatefilter|filter)[^}]{0,20}\(
      addafterfiltercallback ?\(
    `,
  },
  {
    ids: ['190504', '7349c77080cb0d1ce18c6ee5686576d2', '17531947725cfa08b3966f86af89e2cf'],
    description: 'Magento - Settings and logs that are no part of a shop',
    tags: ['magento', 'information-disclosure'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`
      /app/etc/(?:local\.xml|env\.php|config\.php)
      /var/(?:log|report|export|backups)/
      /(?:downloader|dev/tests)/
      /rss/(?:order/new|catalog/notifystock)
    `,
  },
  {
    ids: ['190505', '01e8a2ee65ccca673e075474ec7d179c', '790c811999d4655320cdfcfbe371af69'],
    description: 'Magento - Upload of code as an option of a product',
    tags: ['magento', 'file-upload', 'rce'],
    mode: 'block',
    detection: every(
      check(['uri'], FILE_PATH)`/(?:checkout/cart/add|media/|custom_options|catalog/product/upload|rest/)`,
      check(['filenames'], FILE_PATH)`\.(?:php[0-9s]?|phtml|phar|pht|htaccess)(?:\.|$)`,
    ),
  },
  {
    ids: ['190506', '1c7d09a2f74ffaa0798914481feb43b0', 'fbe4163e5ce205086bae3314a35f7b8b'],
    description: 'Magento - Object of an old framework in a serialised value - CVE-2016-4010',
    tags: ['magento', 'deserialization', 'cve-2016-4010'],
    mode: 'block',
    detection: pattern(['args', 'arg-names', 'cookies', 'body'], AS_SENT)`
      O:\d+:\\?"(?:Zend_|Mage_|Credis_|Magento\\|Laminas\\|Monolog\\)
      nestedClass.{0,20}(?:Zend|SimpleXMLElement)
      (?:^|[\[."])dataIsURL(?:$|[\]"])
    `,
  },
])
