// Scripts that sites write into their own pages: counters, loaders, forms, payments, consent, chat. Many resemble skimmers,
// so that the detector has to learn the difference.
import type { Family, Variation } from './variation.ts'

export const page = (name: string, make: Family['make']): Family => ({
  name: `site: ${name}`,
  label: 'benign',
  make,
})

export const loader = (v: Variation, src: string): string =>
  v.pick([
    `var ${v.id(0)}=document.createElement('script');${v.id(0)}.async=true;${v.id(0)}.src='${src}';var ${v.id(1)}=document.getElementsByTagName('script')[0];${v.id(1)}.parentNode.insertBefore(${v.id(0)},${v.id(1)});`,
    `(function(d,t){var g=d.createElement(t),s=d.getElementsByTagName(t)[0];g.src='${src}';s.parentNode.insertBefore(g,s)}(document,'script'));`,
    `(function(){var s=document.createElement("script");s.type="text/javascript";s.async=true;s.src=("https:"==document.location.protocol?"https://":"http://")+"${src.replace(/^\w*:?\/\//u, '')}";(document.head||document.body).appendChild(s)})();`,
    `document.write(unescape("%3Cscript src='${src}' type='text/javascript'%3E%3C/script%3E"));`,
    `<script async src="${src}"></script>`,
  ])
export const own = (v: Variation): string =>
  v.pick([
    '/checkout/onepage/saveOrder/',
    '/api/orders',
    '/cart/add',
    '/rest/V1/guest-carts/',
    '/account/login',
    '/newsletter/subscribe',
    '/search/suggest?q=',
    '/wp-admin/admin-ajax.php',
    '/contact',
  ])
const sendOwn = (v: Variation, what: string): string =>
  v.pick([
    `$.ajax({url:'${own(v)}',type:'POST',data:${what},success:function(r){if(r.redirect){location.href=r.redirect}else{$('.msg').text(r.message)}}});`,
    `fetch('${own(v)}',{method:'POST',credentials:'same-origin',headers:{'X-CSRF-Token':document.querySelector('meta[name=csrf-token]').content},body:${what}}).then(function(r){return r.json()}).then(function(j){document.querySelector('.result').textContent=j.message});`,
    `var ${v.id(9)}=new XMLHttpRequest();${v.id(9)}.open('POST','${own(v)}');${v.id(9)}.setRequestHeader('Content-Type','application/json');${v.id(9)}.onload=function(){if(${v.id(9)}.status===200){window.location='/checkout/success'}};${v.id(9)}.send(${what});`,
  ])

export const PAGE_SCRIPTS: readonly Family[] = [
  page(
    'counter snippet',
    (v) =>
      `(function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;i[r]=i[r]||function(){(i[r].q=i[r].q||[]).push(arguments)},i[r].l=1*new Date();a=s.createElement(o),m=s.getElementsByTagName(o)[0];a.async=1;a.src=g;m.parentNode.insertBefore(a,m)})(window,document,'script','https://www.google-analytics.com/analytics.js','${v.pick(['ga', '__ga', 'tracker'])}');ga('create','UA-${v.number(10000, 9999999)}-1','auto');ga('send','pageview');`,
  ),
  page(
    'older counter',
    (v) =>
      `var _gaq=_gaq||[];_gaq.push(['_setAccount','UA-${v.number(10000, 99999)}-${v.number(1, 9)}']);_gaq.push(['_trackPageview']);(function(){var ga=document.createElement('script');ga.type='text/javascript';ga.async=true;ga.src=('https:'==document.location.protocol?'https://ssl':'http://www')+'.google-analytics.com/ga.js';var s=document.getElementsByTagName('script')[0];s.parentNode.insertBefore(ga,s)})();`,
  ),
  page(
    'tag manager',
    (v) =>
      `(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s),dl=l!='dataLayer'?'&l='+l:'';j.async=true;j.src='https://www.googletagmanager.com/gtm.js?id='+i+dl;f.parentNode.insertBefore(j,f)})(window,document,'script','dataLayer','GTM-${v.key(6).toUpperCase()}');`,
  ),
  page(
    'tag manager with a frame',
    (v) =>
      `<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-${v.key(6)}" height="0" width="0" style="display:none;visibility:hidden"></iframe></noscript><script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','G-${v.key(8)}',{anonymize_ip:true});</script>`,
  ),
  page(
    'advertiser pixel',
    (v) =>
      `!function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){n.callMethod?n.callMethod.apply(n,arguments):n.queue.push(arguments)};if(!f._fbq)f._fbq=n;n.push=n;n.loaded=!0;n.version='2.0';n.queue=[];t=b.createElement(e);t.async=!0;t.src=v;s=b.getElementsByTagName(e)[0];s.parentNode.insertBefore(t,s)}(window,document,'script','https://connect.facebook.net/en_US/fbevents.js');fbq('init','${v.number(1e9, 9e9)}');fbq('track','${v.pick(['PageView', 'Purchase', 'InitiateCheckout', 'AddToCart'])}',{value:${v.number(1, 300)},currency:'EUR'});`,
  ),
  page(
    'recorder snippet',
    (v) =>
      `(function(h,o,t,j,a,r){h.hj=h.hj||function(){(h.hj.q=h.hj.q||[]).push(arguments)};h._hjSettings={hjid:${v.number(1e5, 9e6)},hjsv:6};a=o.getElementsByTagName('head')[0];r=o.createElement('script');r.async=1;r.src=t+h._hjSettings.hjid+j+h._hjSettings.hjsv;a.appendChild(r)})(window,document,'https://static.hotjar.com/c/hotjar-','.js?sv=');`,
  ),
  page('any loader', (v) => loader(v, v.address())),
  page('pixel by image', (v) =>
    v.pick([
      `(new Image()).src='${v.address()}?page='+encodeURIComponent(location.pathname)+'&ref='+encodeURIComponent(document.referrer)+'&r='+Math.random();`,
      `document.write('<img src="${v.address()}?w='+screen.width+'&h='+screen.height+'&r='+escape(document.referrer)+'" width="1" height="1" alt="">');`,
      `new Image().src="//counter.example.com/hit?r"+escape(document.referrer)+((typeof(screen)=="undefined")?"":";s"+screen.width+"*"+screen.height)+";u"+escape(document.URL)+";"+Math.random();`,
    ]),
  ),
  page(
    'own counter with a cookie',
    (v) =>
      `(function(){function get(n){var m=document.cookie.match('(^|;) ?'+n+'=([^;]*)');return m?m[2]:null}var id=get('_${v.key(3)}');if(!id){id=Math.random().toString(36).slice(2);document.cookie='_${v.key(3)}='+id+';path=/;max-age=31536000'}var p={id:id,url:location.href,ref:document.referrer,t:document.title,ua:navigator.userAgent,lang:navigator.language};navigator.sendBeacon?navigator.sendBeacon('${v.address()}',JSON.stringify(p)):new Image().src='${v.address()}?p='+encodeURIComponent(JSON.stringify(p))})();`,
  ),
  page(
    'checkout of a shop',
    (v) =>
      `jQuery(function($){$('#${v.pick(['checkout-form', 'co-payment-form', 'payment-form'])}').on('submit',function(e){e.preventDefault();var ${v.id(0)}=$(this).serialize();$('.btn-checkout').prop('disabled',true);${sendOwn(v, v.id(0))}});$('input[name="payment[method]"]').on('change',function(){$('.payment-box').hide();$('#payment_form_'+$(this).val()).show()})});`,
  ),
  page(
    'checkout in old style',
    (v) =>
      `var Payment=Class.create();Payment.prototype={initialize:function(form,saveUrl){this.form=form;this.saveUrl=saveUrl},save:function(){if(checkout.loadWaiting!=false)return;var validator=new Validation(this.form);if(this.validate()&&validator.validate()){checkout.setLoadWaiting('payment');new Ajax.Request(this.saveUrl,{method:'post',onComplete:this.onComplete,onSuccess:this.onSave,parameters:Form.serialize(this.form)})}},validate:function(){return $('p_method_ccsave').checked||$('cc_number').value.length>${v.number(10, 15)}}};var payment=new Payment('co-payment-form','/checkout/onepage/savePayment/');`,
  ),
  page(
    'card number check',
    (v) =>
      `function ${v.id(0)}(n){n=n.replace(/\\D/g,'');var s=0,d=false;for(var i=n.length-1;i>=0;i--){var c=parseInt(n.charAt(i),10);if(d&&(c*=2)>9)c-=9;s+=c;d=!d}return s%10===0}var types={visa:/^4[0-9]{12}(?:[0-9]{3})?$/,mastercard:/^5[1-5][0-9]{14}$/,amex:/^3[47][0-9]{13}$/};document.querySelector('#cc_number').addEventListener('${v.pick(['input', 'blur', 'keyup'])}',function(){var v=this.value;for(var t in types){if(types[t].test(v.replace(/ /g,'')))document.querySelector('.card-type').className='card-type '+t}this.classList.toggle('error',!${v.id(0)}(v))});`,
  ),
  page(
    'card field format',
    (v) =>
      `document.getElementById('${v.pick(['cardNumber', 'cc_number', 'card-number'])}').addEventListener('input',function(e){e.target.value=e.target.value.replace(/[^\\d]/g,'').replace(/(.{4})/g,'$1 ').trim()});document.getElementById('expiry').addEventListener('keyup',function(e){var x=e.target.value.replace(/\\D/g,'');if(x.length>2)x=x.slice(0,2)+' / '+x.slice(2,4);e.target.value=x});document.getElementById('cvv').onkeypress=function(e){return e.which>=48&&e.which<=57};`,
  ),
  page(
    'hosted card fields',
    (v) =>
      `var stripe=Stripe('pk_live_${v.key(24)}');var elements=stripe.elements();var card=elements.create('card',{style:{base:{fontSize:'16px'}}});card.mount('#card-element');document.getElementById('payment-form').addEventListener('submit',function(ev){ev.preventDefault();stripe.createToken(card,{name:document.getElementById('holder').value}).then(function(result){if(result.error){document.getElementById('card-errors').textContent=result.error.message}else{var i=document.createElement('input');i.type='hidden';i.name='stripeToken';i.value=result.token.id;ev.target.appendChild(i);ev.target.submit()}})});`,
  ),
  page(
    'card sent to its processor',
    (v) =>
      `Stripe.setPublishableKey('pk_live_${v.key(20)}');$('#payment-form').submit(function(e){var $f=$(this);$f.find('button').prop('disabled',true);Stripe.card.createToken({number:$('.card-number').val(),cvc:$('.card-cvc').val(),exp_month:$('.card-expiry-month').val(),exp_year:$('.card-expiry-year').val()},function(s,r){if(r.error){$f.find('.payment-errors').text(r.error.message)}else{$f.append($('<input type="hidden" name="stripeToken">').val(r.id));$f.get(0).submit()}});return false});`,
  ),
  page(
    'payment buttons',
    (v) =>
      `paypal.Buttons({createOrder:function(data,actions){return actions.order.create({purchase_units:[{amount:{value:'${v.number(1, 400)}.00'}}]})},onApprove:function(data,actions){return actions.order.capture().then(function(d){${sendOwn(v, 'JSON.stringify({id:data.orderID,name:d.payer.name.given_name})')}})}}).render('#paypal-button-container');`,
  ),
  page(
    'drop-in payment',
    (v) =>
      `braintree.dropin.create({authorization:'sandbox_${v.key(20)}',container:'#dropin-container',paypal:{flow:'checkout',amount:'${v.number(2, 90)}.00',currency:'USD'}},function(err,instance){document.querySelector('#submit-button').addEventListener('click',function(){instance.requestPaymentMethod(function(e,payload){document.querySelector('#nonce').value=payload.nonce;document.querySelector('#payment-form').submit()})})});`,
  ),
  page(
    'order reported to counters',
    (v) =>
      `window.dataLayer=window.dataLayer||[];dataLayer.push({event:'purchase',ecommerce:{transaction_id:'${v.number(1000, 99999)}',value:${v.number(5, 500)},currency:'USD',items:[{item_name:'Shirt',price:${v.number(5, 50)},quantity:1}]}});if(location.pathname.indexOf('/checkout/success')!==-1){var i=new Image();i.src='${v.address()}?order='+document.querySelector('.order-number').textContent+'&total=${v.number(5, 99)}'}`,
  ),
  page(
    'log-in without reload',
    (v) =>
      `document.querySelector('#login-form').addEventListener('submit',function(e){e.preventDefault();var ${v.id(0)}=JSON.stringify({email:this.email.value,password:this.password.value,remember:this.remember.checked});${sendOwn(v, v.id(0))}});`,
  ),
  page(
    'log-in elsewhere',
    (v) =>
      `async function signIn(){const r=await fetch('https://auth.example.com/oauth/token',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({grant_type:'password',username:document.querySelector('#username').value,password:document.querySelector('#password').value,client_id:'${v.key(20)}'})});const j=await r.json();localStorage.setItem('access_token',j.access_token);location.assign('/dashboard')}document.querySelector('#login').addEventListener('click',signIn);`,
  ),
  page(
    'draft kept',
    (v) =>
      `var ${v.id(0)}=document.querySelector('${v.pick(['#comment', 'textarea[name=message]', '#order-notes'])}');${v.id(0)}.value=localStorage.getItem('draft')||'';${v.id(0)}.addEventListener('input',function(){localStorage.setItem('draft',${v.id(0)}.value)});document.forms[0].addEventListener('submit',function(){localStorage.removeItem('draft')});setInterval(function(){${v.chance(0.5) ? sendOwn(v, `${v.id(0)}.value`) : ''}},${v.number(10, 60)}000);`,
  ),
  page(
    'search as you type',
    (v) =>
      `var t;$('#search').on('keyup',function(e){clearTimeout(t);if(e.keyCode===27)return $('#suggest').hide();var q=$(this).val();if(q.length<${v.number(2, 4)})return;t=setTimeout(function(){$.getJSON('${v.pick([own(v), 'https://search.example.com/complete?term='])}'+encodeURIComponent(q),function(d){$('#suggest').html(d.map(function(i){return '<li><a href="'+i.url+'">'+i.title+'</a></li>'}).join('')).show()})},${v.number(100, 400)})});`,
  ),
  page(
    'address completed',
    (v) =>
      `document.getElementById('postcode').addEventListener('blur',function(){fetch('https://api.${v.pick(['postcodes', 'address', 'geo'])}.example.com/lookup?key=${v.key(20)}&postcode='+encodeURIComponent(this.value)).then(function(r){return r.json()}).then(function(d){document.getElementById('billing:city').value=d.city;document.getElementById('billing:street1').value=d.street;document.getElementById('billing:region').value=d.region})});`,
  ),
  page(
    'newsletter',
    (v) =>
      `(function($){$(window).on('load',function(){if(document.cookie.indexOf('nl_closed')<0)setTimeout(function(){$('#newsletter-popup').fadeIn()},${v.number(2, 20)}000)});$('#newsletter-popup form').submit(function(){$.post('${v.pick([own(v), 'https://lists.example.com/subscribe'])}',{email:$(this).find('[name=email]').val()},function(){$('#newsletter-popup').html('<p>Thank you</p>')});return false});$('.close').click(function(){document.cookie='nl_closed=1;max-age=2592000;path=/';$('#newsletter-popup').hide()})})(jQuery);`,
  ),
  page(
    'form watched for drop-outs',
    (v) =>
      `(function(){var seen={};document.querySelectorAll('form').forEach(function(f){f.addEventListener('focusin',function(e){seen[e.target.name]=Date.now()});f.addEventListener('change',function(e){window.dataLayer.push({event:'form_field',field:e.target.name,filled:!!e.target.value,ms:Date.now()-seen[e.target.name]})});f.addEventListener('submit',function(){navigator.sendBeacon('${v.address()}',JSON.stringify({form:f.id,fields:Object.keys(seen)}))})})})();`,
  ),
  page(
    'recorder of sessions',
    (v) =>
      `(function(){var q=[];function mask(n){return n.type==='password'||/card|cvv|cc-/.test(n.name+n.autocomplete)?'*'.repeat(n.value.length):n.value}new MutationObserver(function(m){m.forEach(function(x){q.push({t:Date.now(),k:x.type})})}).observe(document,{childList:true,subtree:true,attributes:true});document.addEventListener('input',function(e){q.push({t:Date.now(),k:'input',id:e.target.id,v:mask(e.target)})},true);document.addEventListener('mousemove',function(e){q.push({x:e.pageX,y:e.pageY})});setInterval(function(){if(q.length){fetch('https://ingest.${v.pick(['replay', 'ux', 'session'])}.example.com/v1',{method:'POST',body:JSON.stringify(q.splice(0)),keepalive:true})}},${v.number(2, 10)}000)})();`,
  ),
  page(
    'errors reported',
    (v) =>
      `window.onerror=function(m,u,l,c,e){var p={m:m,u:u,l:l,c:c,s:e&&e.stack,ua:navigator.userAgent,page:location.href};try{var x=new XMLHttpRequest();x.open('POST','${v.address()}');x.setRequestHeader('Content-Type','application/json');x.send(JSON.stringify(p))}catch(_){}};window.addEventListener('unhandledrejection',function(e){window.onerror(String(e.reason),location.href,0,0,e.reason)});`,
  ),
  page(
    'chat',
    (v) =>
      `var ws=new WebSocket('wss://chat.example.com/room/${v.number(1, 99)}');ws.onmessage=function(e){var m=JSON.parse(e.data);var li=document.createElement('li');li.textContent=m.user+': '+m.text;document.querySelector('#messages').appendChild(li)};document.querySelector('#chat').addEventListener('submit',function(e){e.preventDefault();var i=document.querySelector('#message');ws.send(JSON.stringify({text:i.value,room:'${v.key(4)}'}));i.value=''});ws.onclose=function(){setTimeout(function(){location.reload()},${v.number(1, 9)}000)};`,
  ),
  page(
    'chat loader',
    (v) =>
      `window.$_chat=window.$_chat||{};(function(){var s1=document.createElement("script"),s0=document.getElementsByTagName("script")[0];s1.async=true;s1.src='https://embed.chat.example.com/${v.key(24).toLowerCase()}/default';s1.charset='UTF-8';s1.setAttribute('crossorigin','*');s0.parentNode.insertBefore(s1,s0)})();`,
  ),
  page(
    'consent',
    (v) =>
      `(function(){var c=document.cookie.match(/consent=([^;]+)/);if(!c){var b=document.createElement('div');b.id='cookie-banner';b.innerHTML='<p>We use cookies</p><button id="ok">Accept</button><button id="no">Reject</button>';document.body.appendChild(b);b.querySelector('#ok').onclick=function(){document.cookie='consent=all;path=/;max-age='+${v.number(100, 400)}*86400;b.remove();${loader(v, 'https://tags.example.com/t.js').startsWith('<') ? 'init()' : 'start()'}};b.querySelector('#no').onclick=function(){document.cookie='consent=none;path=/';b.remove()}}function start(){document.querySelectorAll('script[type="text/plain"]').forEach(function(s){var n=document.createElement('script');n.src=s.dataset.src;s.parentNode.replaceChild(n,s)})}})();`,
  ),
  page(
    'telephones to their own site',
    () =>
      `if(/Android|webOS|iPhone|iPod|BlackBerry/i.test(navigator.userAgent)&&document.cookie.indexOf('desktop=1')<0){window.location.href='https://m.example.com'+location.pathname}`,
  ),
  page(
    'language chosen',
    () =>
      `(function(){var l=(navigator.language||navigator.userLanguage).slice(0,2);if(['de','fr','es'].indexOf(l)>-1&&location.pathname==='/'&&!sessionStorage.getItem('lang')){sessionStorage.setItem('lang',l);location.replace('/'+l+'/')}})();`,
  ),
  page(
    'old browsers told',
    () =>
      `if(/MSIE [6-9]/.test(navigator.userAgent)){var d=document.createElement('div');d.className='notice';d.innerHTML='Your browser is out of date. <a href="https://browsehappy.com/">Update your browser</a> to view this site.';document.body.insertBefore(d,document.body.firstChild)}var x;try{x=new XMLHttpRequest()}catch(e){try{x=new ActiveXObject('Msxml2.XMLHTTP')}catch(e){x=new ActiveXObject('Microsoft.XMLHTTP')}}x.open('GET','/version',true);x.send(null);`,
  ),
  page(
    'text copied',
    (v) =>
      `document.querySelectorAll('.copy').forEach(function(b){b.addEventListener('click',function(){var t=document.querySelector(b.dataset.target).${v.pick(['textContent', 'value'])};${v.pick(['navigator.clipboard.writeText(t)', "var a=document.createElement('textarea');a.value=t;document.body.appendChild(a);a.select();document.execCommand('copy');a.remove()"])};b.textContent='Copied!'})});`,
  ),
  page(
    'keys as shortcuts',
    (v) =>
      `document.addEventListener('keydown',function(e){if((e.ctrlKey||e.metaKey)&&e.key==='s'){e.preventDefault();document.forms[0].requestSubmit()}if(e.key==='Escape')document.querySelectorAll('.modal').forEach(function(m){m.hidden=true});if(e.keyCode===${v.number(65, 90)}&&e.altKey)document.querySelector('#search').focus()});`,
  ),
  page(
    'hash in compiled code',
    (v) =>
      `(async function(){const r=await fetch('/wasm/${v.pick(['codec', 'sha3', 'resize', 'argon2'])}.wasm');const {instance}=await WebAssembly.instantiate(await r.arrayBuffer(),{env:{memory:new WebAssembly.Memory({initial:16})}});const w=new Worker('/js/worker.js');document.querySelector('input[type=file]').addEventListener('change',async function(e){const b=await e.target.files[0].arrayBuffer();w.postMessage({b,threads:navigator.hardwareConcurrency})});w.onmessage=function(m){document.querySelector('#out').textContent=m.data.hash}})();`,
  ),
  page(
    'video player set up',
    (v) =>
      `var player=videojs('player',{controls:true,sources:[{src:'https://media.example.com/${v.key(8)}/index.m3u8',type:'application/x-mpegURL'}]});player.ready(function(){this.on('ended',function(){ga('send','event','video','ended')})});`,
  ),
  page(
    'own settings in base64',
    (v) =>
      `window.__CONFIG__=JSON.parse(atob('${Buffer.from(JSON.stringify({ api: '/api', id: v.key(12), features: { chat: true, beta: v.chance(0.5) }, cdn: 'https://cdn.example.com/' })).toString('base64')}'));${loader(v, 'https://cdn.example.com/app.js').startsWith('<') ? '' : "(function(){var s=document.createElement('script');s.src=window.__CONFIG__.cdn+'app.js';document.head.appendChild(s)})();"}`,
  ),
  page(
    'address in base64',
    (v) =>
      `document.querySelectorAll('[data-link]').forEach(function(e){e.addEventListener('click',function(){window.location.href=${v.pick(["atob(e.getAttribute('data-link'))", 'decodeURIComponent(escape(window.atob(e.dataset.link)))'])}})});document.querySelectorAll('.mail').forEach(function(m){m.innerHTML='<a href="mailto:'+m.dataset.u.split('').reverse().join('')+'">mail</a>'});`,
  ),
  page(
    'mail address hidden',
    () =>
      `document.write('<a href="mailto:'+String.fromCharCode(${[...'info@example.com'].map((c) => c.charCodeAt(0)).join(',')})+'">'+unescape('%69%6e%66%6f')+'</a>');`,
  ),
  page(
    'menu and slides',
    (v) =>
      `jQuery(document).ready(function($){$('.menu-toggle').on('click',function(){$('nav').${v.pick(['slideToggle()', "toggleClass('open')"])}});$('.slider').slick({dots:true,autoplay:true,autoplaySpeed:${v.number(2, 9)}000});$('a[href^="#"]').click(function(e){e.preventDefault();$('html,body').animate({scrollTop:$(this.hash).offset().top},${v.number(300, 900)})});$(window).scroll(function(){$('header').toggleClass('fixed',$(this).scrollTop()>${v.number(50, 300)})})});`,
  ),
  page(
    'form checked',
    () =>
      `$('form.contact').submit(function(e){var ok=true;$(this).find('input[required]').each(function(){if(!$(this).val()){ok=false;$(this).addClass('error')}});var m=$('#email').val();if(!/^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$/.test(m)){ok=false}if(!ok){e.preventDefault();$('.errors').show()}});`,
  ),
  page(
    'cart in the corner',
    (v) =>
      `class Cart{constructor(){this.items=JSON.parse(localStorage.getItem('cart')||'[]')}add(i){this.items.push(i);this.save()}save(){localStorage.setItem('cart',JSON.stringify(this.items));document.querySelector('.cart-count').textContent=this.items.length}async checkout(){const r=await fetch('/api/cart',{method:'POST',body:JSON.stringify(this.items)});location.href=(await r.json()).checkoutUrl}}const cart=new Cart();document.querySelectorAll('.add-to-cart').forEach(b=>b.addEventListener('click',()=>cart.add({id:b.dataset.id,qty:${v.number(1, 3)}})));`,
  ),
  page('tiny things', (v) =>
    v.pick([
      "document.documentElement.className=document.documentElement.className.replace('no-js','js');",
      `var ${v.id(0)}=${v.number(1, 99)};`,
      `window.${v.id(0)}={};`,
      `$('.year').text(new Date().getFullYear());`,
      'try{Typekit.load({async:true})}catch(e){}',
      `new WOW().init();`,
      `AOS.init({duration:${v.number(200, 900)}});`,
      `window.print();`,
      `console.log('${v.id(1)}');`,
      `var ajaxurl='/wp-admin/admin-ajax.php';`,
      `FastClick.attach(document.body);`,
      `var c=new Client('${v.key(20)}');c.start();`,
      `new Swiper('.s${v.number(1, 9)}',{loop:true});`,
      `var m=new Player.Embed('${v.key(32)}',{width:640});m.start();`,
      `window.app=new App.User('${v.key(10)}');app.init();`,
    ]),
  ),
  page(
    'data only',
    (v) =>
      `var ${v.id(0)}={"@context":"https://schema.org","name":"${v.id(1)}","items":[${Array.from({ length: v.number(3, 40) }, () => `{"id":${v.number(1, 9999)},"sku":"${v.key(8)}","price":"${v.number(1, 99)}.00"}`).join(',')}]};window.initialState=${v.id(0)};`,
  ),
  page(
    'advertisement slot',
    (v) =>
      `googletag.cmd.push(function(){googletag.defineSlot('/${v.number(1e6, 9e6)}/leader',[728,90],'div-gpt-ad-${v.number(1, 9)}').addService(googletag.pubads());googletag.enableServices()});document.write('<scr'+'ipt src="https://ads.example.com/show?z=${v.number(1, 999)}&cb='+Math.floor(Math.random()*1e9)+'&loc='+encodeURIComponent(document.location.href)+'"></scr'+'ipt>');`,
  ),
  page(
    'frame out of sight for a conversion',
    (v) =>
      `var axel=Math.random()+"";var a=axel*10000000000000;document.write('<iframe src="https://${v.number(1e6, 9e6)}.fls.doubleclick.net/activityi;src=${v.number(1e6, 9e6)};type=conf;cat=${v.key(5)};ord='+a+'?" width="1" height="1" frameborder="0" style="display:none"></iframe>');`,
  ),
  page('robot check', (v) =>
    `window.onCaptcha=function(token){document.querySelector('#g-recaptcha-response').value=token;document.querySelector('form').submit()};${v.pick(["grecaptcha.ready(function(){grecaptcha.execute('KEY',{action:'login'}).then(onCaptcha)});", "hcaptcha.render('captcha',{sitekey:'KEY',callback:onCaptcha});"])}document.querySelector('.robot-note').textContent='Please verify you are human';`.replaceAll(
      'KEY',
      v.key(20),
    ),
  ),
  page(
    'worker registered',
    () =>
      `if('serviceWorker' in navigator){window.addEventListener('load',function(){navigator.serviceWorker.register('/sw.js').then(function(r){console.log(r.scope)})})}if('Notification' in window){document.querySelector('#notify').addEventListener('click',function(){Notification.requestPermission().then(function(p){fetch('/api/push',{method:'POST',body:p})})})}`,
  ),
  page(
    'wallet connected',
    () =>
      `async function connect(){const [account]=await window.ethereum.request({method:'eth_requestAccounts'});document.querySelector('#account').textContent=account.slice(0,6)+'...';const b=await ethereum.request({method:'eth_getBalance',params:[account,'latest']});document.querySelector('#balance').textContent=parseInt(b,16)/1e18}document.querySelector('#connect').onclick=connect;`,
  ),
  page(
    'source protected',
    (v) =>
      `document.addEventListener('contextmenu',function(e){e.preventDefault()});document.onkeydown=function(e){if(e.keyCode==123||(e.ctrlKey&&e.shiftKey&&e.keyCode==73))return false};${v.chance(0.5) ? "setInterval(function(){if(window.outerWidth-window.innerWidth>160){document.body.innerHTML='Developer tools are not allowed'}},1000);" : ''}`,
  ),
  page(
    'test of two versions',
    (v) =>
      `(function(){var v=localStorage.getItem('ab_${v.key(3)}');if(!v){v=Math.random()<0.5?'a':'b';localStorage.setItem('ab_${v.key(3)}',v)}document.documentElement.classList.add('ab-'+v);window.dataLayer=window.dataLayer||[];dataLayer.push({event:'experiment',variant:v});if(v==='b'&&/checkout/.test(location.pathname)){document.querySelector('.btn-checkout').textContent='Buy now'}})();`,
  ),
  page(
    'form sent elsewhere',
    (v) =>
      `document.querySelector('form.${v.pick(['demo', 'contact', 'lead'])}').addEventListener('submit',async e=>{e.preventDefault();const d=Object.fromEntries(new FormData(e.target));await fetch('https://api.${v.pick(['forms', 'crm', 'hooks'])}.example.com/submit/${v.key(8)}',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({first_name:d.first,last_name:d.last,email:d.email,country:d.country})});e.target.innerHTML='<p>Thanks</p>'});`,
  ),
]
