// Harmless scripts that share a word or a method with hostile ones. Each of them does what some library or shop does;
// the hosts do not exist.

export interface HonestCase {
  readonly name: string
  readonly source: string
  /** The only suggestive finding that it has; undefined: none. */
  readonly sign?: string
}

/** As many page functions as given: the code after them is part of something larger. */
const bundle = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) =>
      `function render${i}(a,b){var el=document.createElement('div');el.className='c-${i}';el.textContent=a.title+' '+b;if(a.items.length>${i}){el.classList.add('many')}return el}`,
  ).join('\n')

export const HONEST_CASES: readonly HonestCase[] = [
  {
    name: 'tokens of a highlighter',
    source: `(function(H){H.hooks.add('after',function(env){var words=env.code.split(' ');for(var i=0;i<words.length;i++)words[i]=new H.Token('word',H.tokenize(words[i],env.grammar));env.tokens=words})})(Highlighter)`,
  },
  {
    name: 'tokens of a search index',
    source: `index.tokenizer=function(text,meta){return text==null?[]:String(text).toLowerCase().split(/\\s+/).map(function(t,i){return new index.Token(t,{position:i,meta:meta})})}`,
  },
  { name: 'tokens of a grammar', source: `var t=new grammar4.Token();t.type=grammar4.Token.EOF;emit(t)` },
  {
    name: 'the first and last name on a card, checked',
    source: `export const empty={cardHolderFirstName:'',cardHolderLastName:'',zip:''};export const isWhole=c=>c.cardHolderFirstName.trim()!==''&&c.cardHolderLastName!==''&&c.zip.length===5`,
  },
  {
    name: 'labels of an account',
    source: `var labels={accountHolderFirstName:'First name',accountHolderLastName:'Last name'};document.querySelectorAll('label').forEach(function(l){l.textContent=labels[l.htmlFor]})`,
  },
  {
    name: 'a list of hosts to be blocked',
    source: `var blocked=['coinhive.com','crypto-loot.com','coin-hive.com'];export function isBlocked(u){return blocked.some(h=>new URL(u).hostname.endsWith(h))}`,
  },
  {
    name: 'a list of blocked files, looked for in the page',
    source: `var files=/coinhive\\.min\\.js|xmrig\\.js|deepminer\\.js/;document.querySelectorAll('script').forEach(function(s){if(files.test(s.src))s.remove()})`,
  },
  {
    name: 'an article about miners',
    source: `export default {title:'How to find miners',body:'Look for xmrig in the list of processes, and for coinhive.min.js in pages.'}`,
  },
  {
    name: 'an idle game with a mine',
    source: `function startMining(){setInterval(function(){gold+=rate;document.querySelector('#gold').textContent=gold},1000)}document.querySelector('#mine').onclick=function(){startMining()}`,
    sign: 'miner-constructor',
  },
  {
    name: 'the page of a pool',
    source: `var s=new WebSocket('wss://stats.pool.example/');var w=new Worker('/chart.js');s.onmessage=function(e){var d=JSON.parse(e.data);document.querySelector('#rate').textContent='hashrate '+d.hashrate;w.postMessage(d.history)}`,
    sign: 'miner-pool',
  },
  {
    name: 'a wallet for gifts',
    source: `document.querySelector('#gift').textContent='48${'x'.repeat(93)}';function throttle(f,ms){var t;return function(){clearTimeout(t);t=setTimeout(f,ms)}}window.onscroll=throttle(function(){document.body.classList.add('down')},100)`,
  },
  {
    name: 'a copy button beside commands',
    source: `document.querySelectorAll('pre').forEach(function(p){var b=document.createElement('button');b.textContent='Copy';b.onclick=function(){navigator.clipboard.writeText(p.innerText)};p.append(b)});var how={mac:'curl -fsSL https://get.tool.example/install.sh | sh',win:'powershell -c "irm https://get.tool.example/i.ps1 | iex"'};document.querySelector('#how').textContent=how.mac`,
  },
  {
    name: 'a button that copies one command',
    source: `document.querySelector('.install button').onclick=function(){navigator.clipboard.writeText('curl -fsSL https://get.tool.example/install.sh | sh').then(function(){alert('Copied. Paste it into your terminal.')})}`,
  },
  {
    name: 'a path that is copied, and how to open it',
    source: `document.querySelector('#path').onclick=function(){navigator.clipboard.writeText(this.dataset.path);document.querySelector('#how').textContent='In the file explorer, press Ctrl + L and paste the path'}`,
  },
  {
    name: 'a picture that is copied',
    source: `document.querySelector('#share').onclick=async function(){var b=await new Promise(function(r){document.querySelector('canvas').toBlob(r)});await navigator.clipboard.write([new ClipboardItem({'image/png':b})]);alert('Copied. Press Ctrl + V to paste it')}`,
  },
  {
    name: 'a name of a tool that help copies, for the dialog “Run”',
    source: `fetch('/help/tool.txt').then(function(r){return r.text()}).then(function(t){document.querySelector('#tool').onclick=function(){navigator.clipboard.writeText(t);document.querySelector('#how').textContent='Press Windows + R and enter it'}})`,
    sign: 'shell-on-clipboard',
  },
  {
    name: 'a button that copies one command, and logs errors',
    source: `document.querySelector('.install button').onclick=function(){navigator.clipboard.writeText('curl -fsSL https://get.tool.example/install.sh | sh').then(function(){alert('Copied. Press Cmd+V in your terminal.')}).catch(e=>console.error(e))}`,
  },
  {
    name: 'a button that copies one command, and a message about errors',
    source: `document.querySelector('.install button').onclick=function(){navigator.clipboard.writeText('curl -fsSL https://get.tool.example/install.sh | sh').then(function(){alert('Copied. Press Cmd+V in your terminal.')}).catch(function(){alert('Something went wrong.')})}`,
    sign: 'shell-on-clipboard',
  },
  {
    name: 'an editor with an example of a command',
    source: `var sample='curl -fsSL https://get.tool.example/install.sh | bash',help='Paste with Cmd + V';editor.dom.addEventListener('copy',function(e){try{e.clipboardData.setData('text/plain',editor.selected());e.preventDefault()}catch(x){console.error(x)}});editor.setValue(sample);document.querySelector('#help').textContent=help`,
  },
  {
    name: 'a picture that is copied, beside a command',
    source: `var install='curl -fsSL https://get.tool.example/install.sh | sh';document.querySelector('#install').textContent=install;document.querySelector('#share').onclick=async function(){var i=new Image();i.onerror=function(){alert('No picture')};var b=await new Promise(function(r){document.querySelector('canvas').toBlob(r)});await navigator.clipboard.write([new ClipboardItem({'image/png':b})]);alert('Press Ctrl + V to paste it')}`,
  },
  {
    name: 'a share that a server names, and a check of humans elsewhere',
    source: `var captcha='I am not a robot';document.querySelector('#captcha').textContent=captcha;fetch('/api/share').then(function(r){return r.text()}).then(function(t){document.querySelector('#path').onclick=function(){navigator.clipboard.writeText(t);document.querySelector('#how').textContent='Open File Explorer, press Ctrl + L and paste the path'}})`,
    sign: 'shell-on-clipboard',
  },
  {
    name: 'the client of a remote desktop, with a check of humans at sign-in',
    source: `document.querySelector('#signin').innerHTML='<p>Verify you are human</p>';fetch('/api/clipboard').then(function(r){return r.text()}).then(function(t){document.querySelector('#sync').onclick=function(){navigator.clipboard.writeText(t)}});['Windows + R','Ctrl + V'].forEach(function(k){var b=document.createElement('button');b.textContent=k;document.querySelector('#keys').append(b)})`,
    sign: 'shell-on-clipboard',
  },
  {
    name: 'a replay of sessions that leaves cards out',
    source: `var skip=/cardnumber|cc-number|cvv|cvc|password/i;addEventListener('input',function(e){var t=e.target;if(skip.test(t.name+t.autocomplete)||t.type==='password')return;navigator.sendBeacon('https://in.replay.example/i',JSON.stringify({n:t.name,v:t.value}))},true)`,
    sign: 'fields-harvested',
  },
  {
    name: 'a cart that was left',
    source: `document.querySelector('#checkout_email').addEventListener('blur',function(){if(this.checkValidity())navigator.sendBeacon('https://carts.mail.example/left',JSON.stringify({email:this.value,cart:window.CART}))})`,
    sign: 'fields-harvested',
  },
  {
    name: 'a form that is counted field by field',
    source: `document.querySelectorAll('form').forEach(function(f){f.addEventListener('change',function(e){navigator.sendBeacon('https://analytics.forms.example/track',JSON.stringify({field:e.target.name,filled:e.target.value.length>0}))})})`,
  },
  {
    name: 'a card for a token, by a script, as before CORS',
    source: `window.Pay={token:function(f,done){var n='pay_'+Date.now();window[n]=function(r){delete window[n];done(r)};var s=document.createElement('script');s.src='https://token.pay.example/jsonp?callback='+n+'&number='+encodeURIComponent(f.querySelector('[data-card-number]').value)+'&cvc='+encodeURIComponent(f.querySelector('[data-cvc]').value);document.body.appendChild(s)}}`,
    sign: 'card-leaves',
  },
  {
    name: 'a card for a token, by a request',
    source: `export async function tokenise(form,key){const r=await fetch('https://api.pay.example/v1/tokens',{method:'POST',headers:{Authorization:'Basic '+btoa(key+':')},body:JSON.stringify({number:form.querySelector('#card-number').value,cvc:form.querySelector('#cvc').value})});const t=await r.json();if(!r.ok)throw new Error(t.message);document.querySelector('#checkout').elements.token.value=t.id}`,
    sign: 'fields-harvested',
  },
  {
    name: 'an order by a form, to a table of somebody’s office',
    source: `document.querySelector('#order').addEventListener('click',function(){var all={};document.querySelectorAll('input').forEach(function(i){all[i.name]=i.value});fetch('https://script.office.example/macros/s/A/exec',{method:'POST',mode:'no-cors',body:JSON.stringify(all)}).then(function(){document.querySelector('#cart').textContent='Thank you'})})`,
    sign: 'fields-harvested',
  },
  {
    name: 'a terminal in the page',
    source: `var ws=new WebSocket('wss://term.cloud.example/pty');addEventListener('keydown',function(e){ws.send(JSON.stringify({key:e.key}))});ws.onmessage=function(e){term.write(e.data)}`,
    sign: 'keys-leave',
  },
  {
    name: 'a log-in by a socket',
    source: `var ws=new WebSocket('wss://chat.example.net/');document.querySelector('#login').onsubmit=function(e){e.preventDefault();ws.send(JSON.stringify({name:this.elements.name.value,password:document.querySelector('#password').value}))};ws.onmessage=function(e){document.querySelector('#log').textContent+=e.data}`,
    sign: 'password-leaves',
  },
  {
    name: 'a browser that is too old, with where to get another',
    source: `if(!window.fetch)document.body.innerHTML='<p>Your browser is out of date. Please update your browser.</p><a href="https://www.mozilla.org/firefox/new/">Firefox</a> <a href="https://dl.google.com/chrome/install/ChromeSetup.exe">Chrome</a>'`,
  },
  {
    name: 'an own program that is new',
    source: `navigator.serviceWorker.addEventListener('controllerchange',function(){document.body.insertAdjacentHTML('beforeend','<div>A new version is there. <a href="/downloads/setup.exe">Update</a></div>')})`,
  },
  {
    name: 'help about viruses, and a message',
    source: `var help='If your computer is infected with a virus, please call our support line now';function saved(){alert('Saved')}`,
  },
  {
    name: 'a player of sound without a size',
    source: `function play(u){document.getElementById('snd').innerHTML='<embed src="'+u+'" hidden="true" width="0" height="0" autostart="true">'}`,
    sign: 'applet-out-of-sight',
  },
  {
    name: 'a file of one’s own, kept by an old browser',
    source: `function save(path,text){try{var fso=new ActiveXObject('Scripting.FileSystemObject');var f=fso.CreateTextFile(path,true);f.Write(text);f.Close();return true}catch(e){return false}}`,
    sign: 'windows-dropper',
  },
  {
    name: 'a form sent to the bank that is chosen',
    source: `document.querySelector('#bank').onchange=function(){var f=document.querySelector('#order');f.action=this.value==='card'?'/pay':'https://secure.bank.example/start'}`,
  },
  {
    name: 'a form sent to a bank at a click',
    source: `document.querySelector('#ideal').addEventListener('click',function(){var f=document.querySelector('#order');f.action='https://secure.bank.example/start';f.submit()})`,
    sign: 'form-exchanged',
  },
  {
    name: 'a form for a bank, of what the shop’s server answers',
    source: `fetch('/pay').then(function(r){return r.json()}).then(function(d){var f=document.createElement('form');f.method='POST';f.action='https://acs.bank.example/pareq';Object.keys(d).forEach(function(k){var i=document.createElement('input');i.name=k;i.value=d[k];f.appendChild(i)});document.body.appendChild(f);f.submit()})`,
  },
  {
    name: 'a file of the day',
    source: `fetch('https://content.example/daily/'+new Date().toISOString().slice(0,10)+'.json').then(function(r){return r.json()}).then(function(d){document.querySelector('#quote').textContent=d.text})`,
  },
  {
    name: 'tiles from hosts in turn',
    source: `function tile(x,y,z){var i=new Image();i.src='https://'+['a','b','c'][(x+y)%3]+'.tile.maps.example/'+z+'/'+x+'/'+y+'.png?t='+Date.now();return i}document.body.appendChild(tile(1,2,3))`,
  },
  {
    name: 'an address for gifts that is copied at a click',
    source: `document.querySelector('#copy').onclick=function(){navigator.clipboard.writeText('0x52908400098527886E0F7030069857D2E4169EE7')}`,
  },
  {
    name: 'an address that is checked and trimmed',
    source: `document.querySelector('#to').addEventListener('paste',function(e){e.preventDefault();var t=e.clipboardData.getData('text').trim();if(/^0x[a-fA-F0-9]{40}$/.test(t))this.value=t})`,
  },
  {
    name: 'a wallet that is connected',
    source: `document.querySelector('#connect').onclick=async function(){const [a]=await ethereum.request({method:'eth_requestAccounts'});ethereum.on('accountsChanged',function(){location.reload()});document.querySelector('#account').textContent=a;fetch('/api/login',{method:'POST',body:a})}`,
  },
  {
    name: 'telephones led to a site of their own',
    source: `if(/Android|iPhone/i.test(navigator.userAgent)&&!/full=1/.test(document.cookie))location.replace('https://m.shop.example'+location.pathname)`,
  },
  {
    name: 'a worker that answers from a store',
    source: `self.addEventListener('fetch',function(e){if(e.request.method!=='GET')return;e.respondWith(caches.match(e.request).then(function(r){return r||fetch(e.request)}))});self.addEventListener('notificationclick',function(e){e.waitUntil(clients.openWindow(e.notification.data.url))})`,
  },
  {
    name: 'a test of two pages',
    source: `var g=localStorage.getItem('g');if(!g){g=Math.random()<.5?'a':'b';localStorage.setItem('g',g)}if(g==='b'&&location.pathname==='/price')location.replace('/price-b'+location.search)`,
  },
  {
    name: 'choices of consent, and the scripts that wait for them',
    source: `var c=JSON.parse(localStorage.getItem('consent')||'null');function run(){document.querySelectorAll('script[type="text/plain"]').forEach(function(s){var n=document.createElement('script');n.src=s.dataset.src;document.head.appendChild(n)})}if(c)run();else document.querySelector('#yes').onclick=function(){localStorage.setItem('consent','1');navigator.sendBeacon('https://consent.example/c','1');run()}`,
  },
  {
    name: 'telephones asked once whether they want the small site',
    source: `if(screen.width<600&&!sessionStorage.getItem('full')){sessionStorage.setItem('full','1');if(confirm('Go to the mobile site?'))location.href='https://shop.example/m/'}`,
    sign: 'phones-sold',
  },
  {
    name: 'a browser that is too old, over the page',
    source: `if(!window.Promise)document.body.insertAdjacentHTML('beforeend','<div style="position:fixed;z-index:99999;width:100%">Your browser is out of date. <a href="https://browser-update.org/update.html">Update your browser</a></div>')`,
  },
  {
    name: 'a token that is approved for a contract',
    source: `document.querySelector('#stake').onclick=async function(){var s=new ethers.providers.Web3Provider(ethereum).getSigner();await new ethers.Contract('0x52908400098527886E0F7030069857D2E4169EE7',['function approve(address,uint256)'],s).approve('0x8617E340B3D01FA5F11F306F4090FD50E238070D',amount)}`,
  },
  {
    name: 'a loader of tags with the day behind the host of its settings',
    source: `(function(w,d){var c=w.tagConfig||{};var s=d.createElement('script');s.async=true;s.src='https://'+c.cdnHost+'/tag.js?v='+Math.floor(Date.now()/864e5);d.head.appendChild(s)})(window,document)`,
  },
  {
    name: 'a loader of tags, by joined texts',
    source: `var s=document.createElement('script');s.src=['https://',window.conf.host,'/tag.js?v=',Date.now()].join('');document.head.appendChild(s)`,
  },
  {
    name: 'a loader of tags, by a path that was put together before',
    source: `var s=document.createElement('script');var p='/tag.js?v='+Date.now();s.src='https://'+window.conf.host+p;document.head.appendChild(s)`,
  },
  {
    name: 'an advertisement that no store is to keep',
    source: `(function(){var h=document.currentScript.getAttribute('data-host');var f=document.createElement('iframe');f.width=300;f.height=250;f.src='https://'+h+'/ad?cb='+(+new Date());document.getElementById('ad').appendChild(f)})()`,
  },
  {
    name: 'an answer by a script, with the time',
    source: `function jsonp(host,cb){var s=document.createElement('script');s.src='https://'+host+'/api?callback='+cb+'&_='+Date.now();document.body.appendChild(s)}window.jsonp=jsonp`,
  },
  {
    name: 'a log-in at an issuer, with the time as its state',
    source: `(function(){var issuer=document.querySelector('meta[name=issuer]').content;function login(){var state=Date.now().toString(36);sessionStorage.setItem('state',state);location.assign('https://'+issuer+'/authorize?state='+state)}document.getElementById('login').onclick=login})()`,
  },
  {
    name: 'a log-in at a host of the customer’s',
    source: `document.getElementById('sso').onclick=function(){sessionStorage.setItem('n',String(Math.random()));location.href='https://login.'+window.tenant+'/authorize?nonce='+Date.now()}`,
  },
  {
    name: 'news by a socket, with the time',
    source: `var ws=new WebSocket('wss://'+window.env.WS_HOST+'/live?t='+Date.now());ws.onmessage=function(e){render(JSON.parse(e.data))};function render(x){document.title=x.title}`,
  },
  {
    name: 'a bundle that evaluates a part of its own',
    source: `${bundle(40)}\nvar parts='a-b'.split('-');function b64(s){return atob(s)}window.b64=b64(document.body.dataset.x);fetch('/assets/chunk-'+parts[0]+'.js').then(function(r){return r.text()}).then(function(t){(0,eval)(t)})`,
    sign: 'decoded-code-from-network',
  },
  {
    name: 'a bundle with a picture, and an old part',
    source: `${bundle(40)}\nvar seg=location.pathname.split('/');var png=atob('iVBORw0KGgo=');var x=new XMLHttpRequest();x.open('GET','/legacy/'+seg[1]+'.js');x.onload=function(){new Function(x.responseText)()};x.send()`,
    sign: 'decoded-code-from-network',
  },
  {
    name: 'a banner for an own program',
    source: `(function(){var ua=navigator.userAgent;if(/Android|iPhone/.test(ua)&&!localStorage.getItem('app-banner-closed')){var b=document.createElement('div');b.className='app-banner';b.innerHTML='<span>Get our app</span>';var go=document.createElement('button');go.textContent='Open';go.addEventListener('click',function(){localStorage.setItem('app-banner-closed','1');location.href='https://exampleshop.onelink.me/AbCd'});b.appendChild(go);document.body.appendChild(b)}})()`,
  },
  {
    name: 'a banner that leads to a host of its own',
    source: `if(/Android/.test(navigator.userAgent)&&!localStorage.getItem('x')){localStorage.setItem('x','1');document.querySelector('.get').onclick=function(){location.href='https://get.shop-app.example/abc'}}`,
    sign: 'phones-sold',
  },
  {
    name: 'questions for a tenth of the telephones',
    source: `(function(){if(/iPad|iPhone/.test(navigator.userAgent)&&Math.random()<0.1){sessionStorage.setItem('survey','1');window.open('https://survey.example.net/s/abc')}})()`,
    sign: 'phones-sold',
  },
  {
    name: 'a badge of a shop of programs',
    source: `if(/Android/i.test(navigator.userAgent)&&!/dismissed=1/.test(document.cookie)){localStorage.setItem('visits',(+localStorage.getItem('visits')||0)+1);document.querySelector('.get-app').addEventListener('click',function(){window.location='https://example.app.link/install'})}`,
  },
  {
    name: 'a cart paid for elsewhere at a click, and its form put back',
    source: `document.querySelector('.pp').addEventListener('click',function(){var f=document.querySelector('form.cart');var a=f.action;f.action='https://www.paypal.com/cgi-bin/webscr';f.submit();f.action=a})`,
    sign: 'form-exchanged',
  },
  {
    name: 'a report that another host prints',
    source: `document.getElementById('export').addEventListener('click',function(){var f=document.getElementById('report');var old=f.action;f.action='https://pdf.example.net/render';f.target='_blank';f.submit();f.action=old;f.target=''})`,
    sign: 'form-exchanged',
  },
  {
    name: 'a shop that shows its wallet and checks the customer’s',
    source: `(function(){var re=/^0x[a-fA-F0-9]{40}$/;var DEPOSIT='0x52908400098527886E0F7030069857D2E4169EE7';document.getElementById('deposit').textContent=DEPOSIT;document.getElementById('refund').addEventListener('change',function(e){e.target.classList.toggle('bad',!re.test(e.target.value))})})()`,
    sign: 'address-exchanged',
  },
  {
    name: 'a field with a wallet for gifts',
    source: `var t=document.querySelector('input.address');t.value='bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';function ok(v){return /^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,39}$/.test(v)}`,
    sign: 'address-exchanged',
  },
  {
    name: 'a wallet put into a gap of a text',
    source: `var t=document.querySelector('template').innerHTML;document.querySelector('#pay').innerHTML=t.replace(/\\{address\\}/,'0x52908400098527886E0F7030069857D2E4169EE7');var re=/^0x[a-fA-F0-9]{40}$/;document.title=re.test(document.title)`,
    sign: 'address-exchanged',
  },
  {
    name: 'a program for a ledger',
    source: `var root=typeof globalThis!=='undefined'?globalThis:Function('return this')();(function(){var provider=new ethers.JsonRpcProvider("https://rpc.example.org/v1");provider.getBlockNumber().then(function(n){document.getElementById('block').textContent=n})})()`,
    sign: 'code-from-chain',
  },
  {
    name: 'a page with a layer, an old browser’s notice and programs to be had',
    source: `${bundle(20)}\nvar css='.modal{position:fixed;width:100%;height:100%;z-index:1000}';var st=document.createElement('style');st.textContent=css;document.head.appendChild(st);if(!window.CSS){document.body.insertAdjacentHTML('afterbegin','<p>Please update your browser to use this site.</p>')}document.getElementById('mac').href='https://github.com/example/app/releases/download/v1/App.dmg';document.getElementById('src').href='https://github.com/example/app/archive/v1.zip'`,
    sign: 'false-update',
  },
  {
    name: 'an old browser’s notice, and a kit for the press',
    source: `var s='position:fixed;width:100%';var o=document.createElement('div');o.style.cssText=s;o.innerHTML='Your browser is an older version. <a href="https://browsehappy.com">Upgrade your browser</a>';document.body.appendChild(o);document.querySelector('.kit').href='https://cdn.examplefiles.net/press/kit.zip'`,
    sign: 'false-update',
  },
  {
    name: 'a guard against robots in a bundle',
    source: `${bundle(40)}\nfunction beat(){fetch('https://api.botguard.example.net/v2/check',{method:'POST',body:JSON.stringify({c:document.cookie,u:location.href,ua:navigator.userAgent})}).then(function(r){return r.json()}).then(function(j){if(j.block)location.reload()})}beat()`,
    sign: 'cookie-leaves',
  },
  {
    name: 'a form for messages that warns of thieves',
    source: `${bundle(20)}\ndocument.querySelector('#support').innerHTML='<p>We will never ask for your seed phrase.</p><form id=c><input name=email><textarea name=message></textarea></form>';document.getElementById('c').addEventListener('submit',function(e){e.preventDefault();fetch('https://api.helpdesk.example.net/tickets',{method:'POST',body:new FormData(e.target)}).then(function(r){return r.json()})})`,
    sign: 'wallet-words-leave',
  },
  {
    name: 'a tool for names that shows what it found',
    source: `fetch('https://dns.google/resolve?name='+document.getElementById('q').value+'&type=A').then(function(r){return r.json()}).then(function(j){document.getElementById('out').textContent=j.Answer[0].data;var a=document.createElement('a');a.href='https://'+j.Answer[0].data;document.body.appendChild(a)})`,
    sign: 'host-told-by-names',
  },
  {
    name: 'a status that is kept as a name, in a frame',
    source: `fetch('https://cloudflare-dns.com/dns-query?name=_status.example.com&type=TXT',{headers:{accept:'application/dns-json'}}).then(function(r){return r.json()}).then(function(j){document.getElementById('s').innerHTML=j.Answer[0].data;var i=document.createElement('iframe');i.src=j.Answer[0].data;document.body.append(i)})`,
    sign: 'host-told-by-names',
  },
  {
    name: 'a widget of settings in base64, after consent',
    source: `var h=atob('Y2RuLndpZGdldHRvb2wuY29t');if(document.cookie.indexOf('optin=1')>-1){var s=document.createElement('script');s.src='https://'+h+'/w.js';document.head.appendChild(s)}`,
    sign: 'hidden-host',
  },
  {
    name: 'a shop for a wallet that watches its own requests',
    source: `(async function(){var re=/^0x[0-9a-fA-F]{40}$/;var TREASURY='0x52908400098527886E0F7030069857D2E4169EE7';var f=window.fetch;window.fetch=function(u,o){return f.call(window,u,o)};if(re.test(TREASURY))await ethereum.request({method:'eth_sendTransaction',params:[{to:TREASURY}]})})()`,
    sign: 'wallet-diverted',
  },
  {
    name: 'a donation of an amount that the visitor types',
    source: `document.querySelector('#donate').onclick=async function(){const [from]=await ethereum.request({method:'eth_requestAccounts'});const value='0x'+(Number(document.querySelector('#amount').value)*1e18).toString(16);await ethereum.request({method:'eth_sendTransaction',params:[{from,to:'0x52908400098527886E0F7030069857D2E4169EE7',value}]})}`,
  },
  {
    name: 'a token approved for a contract that is called afterwards',
    source: `const STAKING='0x52908400098527886E0F7030069857D2E4169EE7';export async function stake(amount){const signer=await provider.getSigner();await token.connect(signer).approve(STAKING,amount);await new ethers.Contract(STAKING,abi,signer).stake(amount);await signer.sendTransaction({to:STAKING})}`,
    sign: 'wallet-spent',
  },
  {
    name: 'a throttled handler of a game about miners',
    source: `var miner={x:0,y:0};window.addEventListener('scroll',_.throttle(function(){miner.y=window.scrollY},100));function start(){miner.x=1}start()`,
  },
  {
    name: 'an amount that the visitor types, approved for a contract',
    source: `const VAULT='0x52908400098527886E0F7030069857D2E4169EE7';document.querySelector('#go').onclick=async function(){const s=provider.getSigner();const n=ethers.utils.parseUnits(document.querySelector('#n').value,6);await new ethers.Contract(TOKEN,abi,s).approve(VAULT,n);await new ethers.Contract(VAULT,vaultAbi,s).deposit(n)}`,
  },
  {
    name: 'a class for the forms of a site',
    source: `class Contact{constructor(f){this.f=f;this.url=f.action;f.addEventListener('submit',e=>this.send(e))}send(e){e.preventDefault();fetch(this.url,{method:'POST',body:new FormData(this.f)}).then(()=>this.f.reset())}}document.querySelectorAll('form.contact').forEach(f=>new Contact(f))`,
  },
  {
    name: 'pictures uploaded to a folder of the site',
    source: `document.querySelector('#up').onsubmit=function(e){e.preventDefault();fetch('/upload.php',{method:'POST',body:new FormData(this)}).then(function(){location.reload()})}`,
  },
  {
    name: 'a payment page in a frame, of one of the hosts of a provider',
    source: `class Bootstrap{constructor(o){this.o=o;this.host='https://'+(o.test?'test-api':'api')+'.cashierpay'}get url(){return this.host+'.'+['i','o'].join('')+'/checkout?'+location.search}mount(el){const f=document.createElement('iframe');f.src=this.url;el.appendChild(f)}}new Bootstrap(window.CASHIER).mount(document.querySelector('#checkout'))`,
  },
  {
    name: 'a token approved without limit for a pool that is supplied with it',
    source: `const POOL='0x52908400098527886E0F7030069857D2E4169EE7';document.querySelector('#supply').onclick=async function(){const signer=await provider.getSigner();const token=new ethers.Contract(TOKEN,erc20,signer);const pool=new ethers.Contract(POOL,poolAbi,signer);await token.approve(POOL,ethers.MaxUint256);await pool.supply(TOKEN,state.amount,state.account,0)}`,
  },
  {
    name: 'a token approved without limit for a contract whose method has a name of its own',
    source: `const HUB='0x52908400098527886E0F7030069857D2E4169EE7';document.querySelector('#go').onclick=async function(){const signer=await provider.getSigner();await new ethers.Contract(TOKEN,erc20,signer).approve(HUB,ethers.MaxUint256);await new ethers.Contract(HUB,hubAbi,signer).enlist(state.amount)}`,
  },
  {
    name: 'a token approved without limit for a game that is joined',
    source: `const GAME='0x52908400098527886E0F7030069857D2E4169EE7';document.querySelector('#play').onclick=async function(){const signer=await provider.getSigner();const token=new ethers.Contract(TOKEN,erc20,signer);await token.approve(GAME,ethers.MaxUint256);await game.join(state.table)}`,
  },
  {
    name: 'an order with pictures, to an upload program of the site',
    source: `document.querySelector('#checkout').onsubmit=function(e){e.preventDefault();$.post('/upload/handler.php',new FormData(this)).then(function(){location.reload()})}`,
  },
  {
    name: 'a checkout of an old shop, to a program of its theme',
    source: `document.querySelector('#checkout').onsubmit=function(e){e.preventDefault();jQuery.post('/skin/frontend/base/default/onestep/ajax.php',{email:document.querySelector('#email').value},function(r){document.querySelector('#review').innerHTML=r})}`,
    sign: 'fields-to-files',
  },
  {
    name: 'a button of the checkout that leads to the page of a small provider',
    source: `jQuery(function(){jQuery('#onestepcheckout-place-order').attr('onclick','pay();')});function pay(){location.href='https://pay.example.net/start?order='+jQuery('#order').data('id')}`,
    sign: 'checkout-diverted',
  },
  {
    name: 'an address that a cookie keeps for the next visit',
    source: `var f=document.querySelector('#email');f.addEventListener('change',function(){document.cookie='email='+encodeURIComponent(f.value)});var m=/email=([^;]*)/.exec(document.cookie);if(m)f.value=decodeURIComponent(m[1])`,
  },
  {
    name: 'an element of Prototype that loads a widget',
    source: `document.observe('dom:loaded',function(){$$('head')[0].insert(new Element('script',{src:'https://widgets.example.net/reviews.js'}))})`,
  },
]
