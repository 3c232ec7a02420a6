<<<<<<<< HEAD:app/dist/assets/farewell-VZNQTYE4.js
import{E as t,Ia as l,ba as e}from"./chunk-3IYA7HZD.js";function r(){return e(l,{title:t.settings.farewell.title,lead:t.settings.farewell.lead,children:e("p",{class:"door-links",children:[e("a",{href:"/app/register",children:t.settings.farewell.again}),e("a",{href:"/app/login",children:t.access.login.title})]})})}export{r as default};
========
import{Ca as l,D as t,aa as e}from"./chunk-UIX2XY7K.js";function r(){return e(l,{title:t.settings.farewell.title,lead:t.settings.farewell.lead,children:e("p",{class:"door-links",children:[e("a",{href:"/app/register",children:t.settings.farewell.again}),e("a",{href:"/app/login",children:t.access.login.title})]})})}export{r as default};
>>>>>>>> 169970d (app: Show all that events have):app/dist/assets/farewell-WP3O2BXU.js
