// Cloudflare Miscellaneous: known vulnerabilities of products without their own group.
import { CLOUDFLARE_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { LOOKUP_OF_NAME } from './conclusive-patterns.ts'
import { check, every, expression, pattern, traditionalGroup } from './rule-draft.ts'
import { AS_SENT, COMMAND, EVERYWHERE, FILE_PATH, INPUT, LOWER, PATH, TEXT, URI } from './views.ts'

export const MISCELLANEOUS = traditionalGroup(CLOUDFLARE_GROUP_IDS.miscellaneous, [
  {
    ids: ['100005', '6502a815b21b356aa6f7a4481bc977d1', 'a5064b91d6f9d7f25e525081f5556c57'],
    description: 'DotNetNuke - File inclusion',
    tags: ['dotnetnuke', 'file-inclusion'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`
        /(?:linkclick\.aspx|dnnimagehandler\.ashx|desktopmodules/|providers/htmleditorproviders/)
      `,
      check(['args'], FILE_PATH)`(?:\.\./|web\.config|^file:/|^[a-z]:/)`,
    ),
  },
  {
    ids: ['100015', '0ad5a445d1727ac9b8f13815301a90fd', '36e3f6d25a9df0c09ac147537909ad3d'],
    description: 'Anomaly - Port that is not the usual one',
    tags: ['protocol-anomaly'],
    mode: 'disable',
    detection: pattern(['host'], AS_SENT)`
      :(?:[0-9]|[1-79]\d|8[1-9]|[1-35-9]\d\d|4[0-35-9]\d|44[0-24-9]|\d{4,5})$
    `,
  },
  {
    ids: ['100043A', 'd11ff2f3a7b2c508de4ea7ae16a56bdd', '91ceb94acf9ada2cfcbd89b605d48c6e'],
    description: 'Apache Struts - Expression in the content type - CVE-2017-5638',
    tags: ['apache-struts', 'rce', 'cve-2017-5638'],
    mode: 'block',
    detection: pattern(['content-type', 'header:content-disposition', 'header:content-length'], TEXT)`
      [%$]\{.{0,40}[(#@]
    `,
  },
  {
    ids: ['190201', '23ee7cebe6e8443e99ecf932ab579455', '3342cfe29a91d8d0cb9d95c8edd8c977'],
    description: 'Apache Struts - Open Redirect - CVE-2013-2248',
    tags: ['apache-struts', 'open-redirect', 'cve-2013-2248'],
    mode: 'simulate',
    detection: pattern(['arg-names'], TEXT)`^(?:redirect|redirectaction):(?:https?:)?/?/?[\w$%]`,
  },
  {
    ids: ['190202', '5e684f982e9c7c9d323d1f99f58f60fa', '2c8bb6ce7ea0c2617112bf1bcb08c100'],
    description: 'Apache Struts - Expression in the path or in the name of a parameter - CVE-2018-11776',
    tags: ['apache-struts', 'rce', 'cve-2018-11776'],
    mode: 'block',
    detection: pattern(['path', 'arg-names'], TEXT)`
      [$%]\{ ?\(?['"#@\d(].{0,200}\}
      ^(?:action|redirect|redirectaction|method):.{0,10}[$%#]
    `,
  },
  {
    ids: ['190203', '66c6cfb1173fb2953924a29c90271969', '00c5f76bc9d714b6dd3383ca9575796f'],
    description: 'Apache - Steps upwards out of an alias - CVE-2021-41773, CVE-2021-42013',
    tags: ['apache', 'path-traversal', 'cve-2021-41773', 'cve-2021-42013'],
    mode: 'block',
    detection: pattern(PATH, LOWER)`
      /(?:cgi-bin|icons|assets|uploads|img|image|static|images|css|scripts|cgi)/(?:\.%2e|%2e\.|%2e%2e|\.%%32%65|%%32%65|%252e)
    `,
  },
  {
    ids: ['100531', '781ddea6b1084436ef68071a408cff2b', '67e941b920c9e16f76eae62ee2d4068a'],
    description: 'Confluence - Expression injection - CVE-2022-26134, CVE-2021-26084',
    tags: ['confluence', 'rce', 'cve-2022-26134', 'cve-2021-26084'],
    mode: 'block',
    detection: pattern(
      ['path', 'arg:querystring', 'arg:linkcreation', 'arg:label', 'arg:pagetemplateid', 'args'],
      TEXT,
    )`
      ^/(?:[\w-]{1,20}/)?[$%]\{.{0,40}[(@#]
      \\?u0027 ?\+? ?.{0,20}(?:\{|class|#)
      @com\.opensymphony\.|getattribute ?\( ?["']com\.opensymphony
    `,
  },
  {
    ids: ['190204', '6ca9a79bed1109ff21a54a0602971038', '6c5daae7276bd6eeb5b8501a3c243c68'],
    description: 'Confluence - Set-up reached again - CVE-2023-22515, CVE-2023-22518',
    tags: ['confluence', 'broken-access-control', 'cve-2023-22515', 'cve-2023-22518'],
    mode: 'block',
    detection: pattern(URI, TEXT)`
      bootstrapstatusprovider\.applicationconfig\.setupcomplete
      /(?:json/)?setup-(?:restore|restore-local|restore-progress)\.action
    `,
  },
  {
    ids: ['190205', 'd9e350f1b72d4730899c8a420e48a85d', 'adb550873eb92d32372ed08514d33241'],
    description: 'October CMS - File Inclusion',
    tags: ['file-inclusion', 'october-cms'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`/(?:backend|october|combine|storage/app)(?:/|$)`,
      check(['path', 'args'], FILE_PATH)`(?:\.\./){2}|storage/(?:framework|cms|logs)/.{0,80}\.php`,
    ),
  },
  {
    ids: ['190206', '820bc1e0b6804cd4edaccec7de76373d', '5e0f91b25b4884b9fd78d3a5c2a942c5'],
    description: 'Spring Cloud Function - Routing expression - CVE-2022-22963',
    tags: ['spring', 'rce', 'cve-2022-22963'],
    mode: 'block',
    detection: pattern(['header-names'], LOWER)`^spring\.cloud\.function\.routing-expression$`,
  },
  {
    ids: ['190207', 'ee70473dc547986344c249479b9efdfc', '1d3379fe97849be90821081176b54151'],
    description: 'Spring - Management that changes or shows the application - CVE-2022-22947',
    tags: ['spring', 'information-disclosure', 'cve-2022-22947'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`
      /actuator/(?:gateway/routes|heapdump|env|jolokia|threaddump|shutdown|restart|logfile|trace|configprops)(?:/|$)
      /(?:jolokia/(?:exec|list)|heapdump$)
    `,
  },
  {
    ids: ['190208', '9e6c8f93acaa72807564367f48839c0b', '5a8eb2e10d392c41ab67705fcbce6714'],
    description: 'Exchange - Mailbox of the back end through autodiscovery - CVE-2021-34473',
    tags: ['exchange', 'ssrf', 'cve-2021-34473'],
    mode: 'block',
    detection: pattern(URI, TEXT)`
      /autodiscover(?:\.json|/autodiscover\.json)[^ ]{0,200}(?:@|powershell|/mapi/|/ews/)
    `,
  },
  {
    ids: ['190209', '611ed3f470b6bb60645719e0d5e856e9', 'e11ad719774a73ebeb053e9000a931b0'],
    description: 'Exchange - Cookie that names a back end - CVE-2021-26855',
    tags: ['exchange', 'ssrf', 'cve-2021-26855'],
    mode: 'block',
    detection: every(
      check(['cookie-names'], LOWER)`^x-(?:beresource|anonresource-backend)$`,
      check(['cookies'], LOWER)`~\d{6,}|/\w+\?`,
    ),
  },
  {
    ids: ['190210', 'd22179da4afb1abda327a4fab841d774', 'f9381b90ae620e54b00d3b6e7c287f50'],
    description: 'F5 BIG-IP - Way round the log-in - CVE-2020-5902, CVE-2022-1388',
    tags: ['f5', 'rce', 'cve-2020-5902', 'cve-2022-1388'],
    mode: 'block',
    detection: pattern(PATH, LOWER)`
      /tmui/login\.jsp/\.\.;/
      ^/mgmt/tm/util/bash$
      /hsqldb(?:;|%0a)
    `,
  },
  {
    ids: ['190211', '69ca4ebda1438e94d1f866076e294ff6', 'efe35bb2484589edbd42efb405a142df'],
    description: 'Citrix - Steps upwards into scripts - CVE-2019-19781',
    tags: ['citrix', 'path-traversal', 'cve-2019-19781'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`/vpns?/\.\./|/vpns/(?:portal/scripts|cfg/smb\.conf)`,
  },
  {
    ids: ['190212', '660a47c37abfdafa92a7c1cc8100ada1', '778869a8ecb80ae93e4f7d152bf611d0'],
    description: 'VPN gateways - Files read, commands run - CVE-2019-11510, CVE-2018-13379, CVE-2024-21887',
    tags: ['vpn', 'path-traversal', 'cve-2019-11510', 'cve-2018-13379', 'cve-2024-21887'],
    mode: 'block',
    detection: pattern(URI, FILE_PATH)`
      /dana-na/(?:\.\./|.{0,80}/\.\./)
      /remote/fgt_lang\?lang=/\.\.
      /api/v1/totp/user-backup-code/\.\./
      /remote/hostcheck_validate.{0,40}enc=[0-9a-f]{100}
    `,
  },
  {
    ids: ['190213', 'e9751ccf2a5fd1b00e934d12cc3988be', 'c1b2b416fe738598babc66e3912d0e2d'],
    description: 'Grafana - Steps upwards out of a plugin - CVE-2021-43798',
    tags: ['grafana', 'path-traversal', 'cve-2021-43798'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`/public/plugins/[\w-]+/(?:\.\./|.{0,40}/\.\./)`,
  },
  {
    ids: ['190214', '08891a73397c4cad8367ac17a58e7ecb', '798bf95d73f6a918d57d3d48d25b37a7'],
    description: 'Jenkins - Script console and steps through classes - CVE-2018-1000861',
    tags: ['jenkins', 'rce', 'cve-2018-1000861'],
    mode: 'block',
    detection: pattern(URI, FILE_PATH)`
      /securityrealm/user/[^/]+/descriptorbyname/
      /descriptorbyname/org\.jenkinsci\.plugins\.(?:scriptsecurity|workflow)
      /(?:jenkins/)?script(?:text)?\?.{0,40}(?:execute|println|groovy)
    `,
  },
  {
    ids: ['190215', 'a663b0a9e31ab0102cea83805bae35a9', 'e6ab747dfccf6d187e64da0285d10b68'],
    description: 'Solr - Template or configuration of the client - CVE-2019-17558, CVE-2017-12629',
    tags: ['solr', 'rce', 'cve-2019-17558', 'cve-2017-12629'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`/solr/`,
      check(['args', 'body'], TEXT)`
        #set ?\(|params\.resource\.loader|runexecutablelistener|<!entity|xmlparser|velocityresponsewriter
      `,
    ),
  },
  {
    ids: ['190216', '069a31b8431c903865bf53a4a5cbd04b', 'ebb8131536b65b0b80795c0a102dd60d'],
    description: 'WebLogic - Console without a log-in, work context - CVE-2020-14882, CVE-2017-10271',
    tags: ['weblogic', 'rce', 'cve-2020-14882', 'cve-2017-10271'],
    mode: 'block',
    detection: pattern([...URI, 'body'], TEXT)`
      /console/(?:images|css)/(?:\.\.|%2e|%252e)
      <work:workcontext[^>]{0,100}>.{0,200}<java
      <void class ?= ?"java\.lang\.(?:processbuilder|runtime)
      com\.tangosol\.coherence\.mvel2|com\.bea\.core\.repackaged\.springframework
    `,
  },
  {
    ids: ['190217', '213f12e901142d0bb919a941e289a2cc', 'f872d1ebb660f4f6354e38b8c4eaa3d9'],
    description: 'vBulletin - Code in a widget - CVE-2019-16759, CVE-2020-17496',
    tags: ['vbulletin', 'rce', 'cve-2019-16759', 'cve-2020-17496'],
    mode: 'block',
    detection: every(
      check(['uri', 'arg:routestring'], FILE_PATH)`ajax/render/widget_(?:php|tabbedcontainer_tab_panel)`,
      check(['arg-names'], LOWER)`widgetconfig|subwidgets`,
    ),
  },
  {
    ids: ['190218', 'fc3a8cdbc820a95f03acf402cdef2214', 'dcc5555978a6f766fafbc303626c09ed'],
    description: 'Telerik - Upload into any folder - CVE-2017-11317, CVE-2019-18935',
    tags: ['telerik', 'file-upload', 'cve-2017-11317', 'cve-2019-18935'],
    mode: 'challenge',
    detection: expression`
      http.request.method eq "POST" and lower(http.request.uri.path) contains "telerik.web.ui.webresource.axd" and any(lower(http.request.uri.args.values[*])[*] eq "rau")
    `,
  },
  {
    ids: ['190219', 'cf3366ecc6f0df1f7feae537fb915475', 'bcfd7935d03cf868b0e199bdc37c108a'],
    description: 'ColdFusion - Locale that is a file - CVE-2010-2861, CVE-2023-26360',
    tags: ['coldfusion', 'path-traversal', 'cve-2010-2861', 'cve-2023-26360'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`/cfide/|\.cf[cm]$`,
      check(['args'], FILE_PATH)`^(?:\.\./){2}|_metadata"? ?: ?|"classname" ?: ?"[^"]{0,80}\.\./|^[a-z]:/`,
    ),
  },
  {
    ids: ['190220', '6e3c1799cc4153c56488eee8b31aae23', '54a1fe14fff38a3829748e97e95b0392'],
    description: 'vCenter - Upload without a log-in - CVE-2021-21972, CVE-2021-22005',
    tags: ['vmware', 'file-upload', 'cve-2021-21972', 'cve-2021-22005'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`
      /ui/vropspluginui/rest/services/uploadova
      /analytics/telemetry/ph/api/hyper/send
      /analytics/ceip/sdk/
    `,
  },
  {
    ids: ['190221', '0fe21174d05cec10bd9a26fd30d8c1c4', '5e6b327d82387dcdee97eb635fb73bbb'],
    description: 'Routers and cameras - Commands through their set-up pages',
    tags: ['iot', 'command-injection'],
    mode: 'block',
    detection: pattern(URI, COMMAND)`
      /(?:setup\.cgi|cgi-bin/(?:luci|nas_sharing\.cgi|mainfunction\.cgi|jarrewrite\.sh)|gponform/diag_form|boaform/(?:admin/)?form(?:ping|login)|goform/(?:setsystime|websysset|sys)|tmunblock\.cgi|hnap1|board\.cgi|picsdesc\.xml|wanipcn\.xml|ctrlt/deviceupgrade|sdk/weblanguage|shell\?)[^ ]{0,200}.{0,200}(?:wget|curl|tftp|busybox|/tmp/|chmod| rm |sh )
      ^/shell\?(?:cd ?/tmp|.{0,20}(?:wget|busybox))
    `,
  },
  {
    ids: ['190222', '581af1cc3535899ad10a0d2e52876173', '7331f095ee4ecdcef3ae22ebc646ed80'],
    description: 'Cameras - Language document with a command - CVE-2021-36260',
    tags: ['iot', 'command-injection', 'cve-2021-36260'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`^/sdk/weblanguage`,
      check(['body', 'args'], TEXT)`<language>[^<]{0,40}(?:\$\(|\x60|;|\|)`,
    ),
  },
  {
    ids: ['190223', '05ff8673a370fc5d57ccd4d85f2774f2', '6c1de3fce1fb273b40fd9954f1b9a614'],
    description: 'GeoServer - Name of a property that is evaluated - CVE-2024-36401',
    tags: ['geoserver', 'rce', 'cve-2024-36401'],
    mode: 'block',
    detection: pattern([...URI, 'body', 'args'], TEXT)`
      valuereference(?:>|=)[^<&]{0,40}exec ?\(
      exec ?\( ?java\.lang\.runtime\.getruntime
      propertyname(?:>|=)[^<&]{0,40}(?:exec|javax\.script)
    `,
  },
  {
    ids: ['190224', '537eae26e4918b0a72aba9a083a58fff', 'a1805d267274fc37a948258d536a6653'],
    description: 'GitLab and image tools - Picture that carries a command - CVE-2021-22205, CVE-2016-3714',
    tags: ['image-upload', 'rce', 'cve-2021-22205', 'cve-2016-3714'],
    mode: 'block',
    detection: pattern(['files', 'body'], TEXT)`
      \(metadata ?.{0,40}\bc ?\$\{
      push graphic-context.{0,200}(?:fill|image) ?.{0,20}url ?\(.{0,100}[|"]
      <image>.{0,40}<read filename
    `,
  },
  {
    ids: ['190225', '99b356ba7e143cbbe3d6182d08cc5599', 'f286339420694f15a455b5e04daf2c55'],
    description: 'Docker, Kubernetes, Hadoop - Management reached from outside',
    tags: ['containers', 'broken-access-control'],
    mode: 'challenge',
    detection: every(
      check(PATH, FILE_PATH)`
        ^/(?:v\d\.\d{2}/)?containers/(?:create|json|[0-9a-f]{12,64}/exec)
        ^/ws/v1/cluster/apps(?:/new-application)?$
        ^/api/v1/(?:namespaces/[^/]+/)?(?:pods|secrets)(?:/|$)
      `,
      check(['method'], AS_SENT)`^POST$`,
    ),
  },
  {
    ids: ['190226', '7e9e4980a5149f3156a076cc5f277002', '6c26422996c7fb4e51fd9b41ec9fe53c'],
    description: 'Look-up - Text that would make a server load a class - CVE-2021-44228',
    tags: ['log4j', 'rce', 'cve-2021-44228'],
    mode: 'block',
    detection: pattern(EVERYWHERE, TEXT)`
      ${LOOKUP_OF_NAME}
      \$\{[^}]{0,120}\$\{(?:lower|upper|env|sys|date|::-|[a-z0-9_]{0,20}:?[a-z0-9_]{0,20}:-)[^}]{0,40}\}.{0,200}(?::|\})//
      \$\{ ?(?:base64|script|url|dns):[^}]{1,200}\}
    `,
  },
  {
    ids: ['190227', '69b324212d82eb987154d2a8af3911a5', '2ac9a63a0cbf7921fcf4148ac47d37a1'],
    description: 'Server pages - Status and information of the server',
    tags: ['information-disclosure'],
    mode: 'simulate',
    detection: pattern(PATH, FILE_PATH)`
      ^/(?:server-status|server-info|nginx_status|phpinfo\.php|info\.php|test\.php|elmah\.axd|trace\.axd|web\.config|crossdomain\.xml\.bak)$
    `,
  },
  {
    ids: ['190228', '22195c94620fc6c56e9469a4a2495620', 'fc4d78132cce7153d7bb933a572c806d'],
    description: 'Content management - SQL in known pages of known products',
    tags: ['sqli', 'known-parameter'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`/(?:modules|plugins|components|extensions|mods|addons)/[\w./-]{1,120}\.php$`,
      check(INPUT, TEXT)`
        ^[-+]?[\w.]{0,20}['")]*[ ]+(?:union(?: all)? select|and \d+=\d+|or \d+=\d+|order by \d+)
      `,
    ),
  },
])
