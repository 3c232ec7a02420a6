<<<<<<< HEAD:app/dist/assets/chunk-KJJ4VVNE.js
<<<<<<<< HEAD:app/dist/assets/chunk-24VJIRPF.js
import{D as n,aa as e}from"./chunk-Z3OGILDL.js";function s({caption:t,head:a,children:o,class:l}){return e("div",{class:"table-scroll",tabIndex:0,role:"region","aria-label":t,children:e("table",{class:l,children:[e("caption",{class:"hidden",children:t}),e("thead",{children:e("tr",{children:a})}),e("tbody",{children:o})]})})}function i(){return e("th",{scope:"col",class:"cell-actions",children:e("span",{class:"hidden",children:n.action.more})})}export{s as a,i as b};
========
import{D as n,aa as e}from"./chunk-5IBWICG6.js";function s({caption:t,head:a,children:o,class:l}){return e("div",{class:"table-scroll",tabIndex:0,role:"region","aria-label":t,children:e("table",{class:l,children:[e("caption",{class:"hidden",children:t}),e("thead",{children:e("tr",{children:a})}),e("tbody",{children:o})]})})}function i(){return e("th",{scope:"col",class:"cell-actions",children:e("span",{class:"hidden",children:n.action.more})})}export{s as a,i as b};
>>>>>>>> a467db4 (app: Fetch the dialogs of links when the page is there):app/dist/assets/chunk-KJJ4VVNE.js
=======
import{E as n,ba as e}from"./chunk-4CG5IAXG.js";function s({caption:t,head:a,children:o,class:l}){return e("div",{class:"table-scroll",tabIndex:0,role:"region","aria-label":t,children:e("table",{class:l,children:[e("caption",{class:"hidden",children:t}),e("thead",{children:e("tr",{children:a})}),e("tbody",{children:o})]})})}function i(){return e("th",{scope:"col",class:"cell-actions",children:e("span",{class:"hidden",children:n.action.more})})}export{s as a,i as b};
>>>>>>> f19c9bd (app: Show tags, give them to links, and look after them):app/dist/assets/chunk-75SZFMME.js
