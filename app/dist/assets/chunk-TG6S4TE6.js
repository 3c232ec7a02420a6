var i=(t,r)=>t.trim().toLowerCase()===r.trim().toLowerCase(),o=(t,r)=>t.getAll(r).map(s=>String(s).trim()).filter(s=>s!==""),e=t=>t.split(",").filter(r=>r!=="");export{i as a,o as b,e as c};
