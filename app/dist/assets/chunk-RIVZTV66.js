<<<<<<< HEAD:app/dist/assets/chunk-HTX3T34B.js
<<<<<<<< HEAD:app/dist/assets/chunk-ISR3XKKV.js
import{aa as e}from"./chunk-Z3OGILDL.js";function l({label:n,tabs:r,current:t}){return e("nav",{class:"tabs","aria-label":n,children:r.map(({id:a,label:s,href:d,dataKey:i})=>e("a",{href:d,"aria-current":a===t?"page":void 0,"data-key":i,children:s},a))})}export{l as a};
========
import{aa as e}from"./chunk-5IBWICG6.js";function l({label:n,tabs:r,current:t}){return e("nav",{class:"tabs","aria-label":n,children:r.map(({id:a,label:s,href:d,dataKey:i})=>e("a",{href:d,"aria-current":a===t?"page":void 0,"data-key":i,children:s},a))})}export{l as a};
>>>>>>>> a467db4 (app: Fetch the dialogs of links when the page is there):app/dist/assets/chunk-HTX3T34B.js
=======
import{ba as e}from"./chunk-4CG5IAXG.js";function l({label:n,tabs:r,current:t}){return e("nav",{class:"tabs","aria-label":n,children:r.map(({id:a,label:s,href:d,dataKey:i})=>e("a",{href:d,"aria-current":a===t?"page":void 0,"data-key":i,children:s},a))})}export{l as a};
>>>>>>> f19c9bd (app: Show tags, give them to links, and look after them):app/dist/assets/chunk-RIVZTV66.js
