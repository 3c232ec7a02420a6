import{$ as l,C as i,m as e}from"./chunk-M6OZROO2.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
