<<<<<<<< HEAD:app/dist/assets/chunk-7DVWB6VS.js
import{ba as e}from"./chunk-3IYA7HZD.js";function l({label:n,tabs:r,current:t}){return e("nav",{class:"tabs","aria-label":n,children:r.map(({id:a,label:s,href:d,dataKey:i})=>e("a",{href:d,"aria-current":a===t?"page":void 0,"data-key":i,children:s},a))})}export{l as a};
========
import{aa as e}from"./chunk-UIX2XY7K.js";function l({label:n,tabs:r,current:t}){return e("nav",{class:"tabs","aria-label":n,children:r.map(({id:a,label:s,href:d,dataKey:i})=>e("a",{href:d,"aria-current":a===t?"page":void 0,"data-key":i,children:s},a))})}export{l as a};
>>>>>>>> 169970d (app: Show all that events have):app/dist/assets/chunk-CHQGXEUX.js
